// An observer in a test. It does nothing by the clock unless the test wants it to, and the test waits for changes only.

import { onTestFinished } from 'vitest'
import type { Agency } from '../../../src/core/facade/agency.ts'
import type { InvocationId } from '../../../src/core/model/ids.ts'
import { createObserver, type ObserverOptions } from '../../../src/ui/screen/observe/create-observer.ts'
import type { ObservedInvocation, Observer, Snapshot } from '../../../src/ui/screen/observe/snapshot.ts'

export const STILL = { active_ms: 3_600_000, all_ms: 3_600_000 }

/** The observer is closed when the test has finished. */
export function observe(agency: Agency, options: ObserverOptions = { pace: STILL }): Observer {
  const observer = createObserver(agency, options)
  onTestFinished(() => observer.close())
  return observer
}

/** Resolves to the first snapshot that is as wanted. */
export function until(observer: Observer, wanted: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  if (wanted(observer.snapshot())) return Promise.resolve(observer.snapshot())
  return new Promise((resolve) => {
    const end = observer.onChange((snapshot) => {
      if (!wanted(snapshot)) return
      end()
      resolve(snapshot)
    })
  })
}

export const isTaken = ({ taken_at }: Snapshot): boolean => taken_at !== null

export const idsOf = ({ invocations }: Snapshot): InvocationId[] =>
  invocations.map(({ record }) => record.invocation_id)

export const rowOf = (snapshot: Snapshot, id: string): ObservedInvocation | undefined =>
  snapshot.invocations.find(({ record }) => record.invocation_id === id)
