// The dashboard's observer in a process of its own, so that its CPU can be told from everything else's. Measures
// percent of a core: by itself, and with the git that it started.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createAgency } from '../../src/core/facade/create-agency.ts'
import { createObserver } from '../../src/ui/screen/observe/create-observer.ts'
import type { Snapshot } from '../../src/ui/screen/observe/snapshot.ts'
import { benchEffects } from './doors.ts'

export interface ObserverCost {
  readonly own: number
  readonly with_git: number
  /** Longest time in which no key would have been heard, in milliseconds. */
  readonly longest_block: number
}

export interface Looking {
  readonly cwd: string
  readonly dataDir: string
  readonly seconds: number
  /** False for a process to compare with, which does nothing but be measured. */
  readonly observing: boolean
  /** Whether to measure the longest block too, which costs CPU of its own. */
  readonly listening: boolean
}

/** Measures for `seconds`, after the first snapshot and the first diffstats were made. */
export async function observeAlone(looking: Looking): Promise<ObserverCost> {
  if (looking.observing) await settleDown(looking)
  const blocks = looking.listening ? watchBlocks() : () => 0
  const [own, children] = [process.cpuUsage(), childrenSeconds()]
  await delay(looking.seconds * 1000)
  const used = process.cpuUsage(own)
  const percent = (part: number): number => (100 * part) / looking.seconds
  const ownPart = percent((used.user + used.system) / 1e6)
  return {
    own: ownPart,
    with_git: ownPart + percent(childrenSeconds() - children),
    longest_block: blocks(),
  }
}

async function settleDown({ cwd, dataDir }: Looking): Promise<void> {
  const agency = await createAgency({ cwd, effects: benchEffects(dataDir), configOf: () => ({}) })
  const observer = createObserver(agency)
  while (observer.snapshot().taken_at === null) await delay(20)
  observer.setVisible(observer.snapshot().invocations.map(({ record }) => record.invocation_id))
  while (!isSettled(observer.snapshot())) await delay(100)
}

const isSettled = ({ background, invocations }: Snapshot): boolean =>
  background === null && invocations.every(({ diff }) => diff.at !== null)

/** Looks at the clock every 20 ms. The result ends that, and returns the longest delay in milliseconds. */
function watchBlocks(): () => number {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 20)
    last = now
  }, 20)
  return () => {
    clearInterval(timer)
    return longest
  }
}

const TICKS_PER_SECOND = 100

/** CPU seconds of the children that have ended: cutime and cstime of /proc/self/stat. */
function childrenSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
