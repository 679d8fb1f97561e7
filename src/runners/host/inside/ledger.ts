// What a host writes into the invocation's record and events. A held lock or a full disk delays the outcome, but it is
// never lost.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Processes } from '../../../core/doors/effects.ts'
import { toOurError } from '../../../core/doors/system/files.ts'
import { withLock } from '../../../core/doors/system/lock.ts'
import type { ErrorCode } from '../../../core/model/error-codes.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { HostRecord, InvocationRecord } from '../../../core/model/invocation.ts'
import type { HostLaunch, RunEnd } from '../../../core/model/runner.ts'
import { isOfTheMoment } from '../../../core/model/system-failure.ts'
import { appendEvent, type NewEvent } from '../../../core/store/events.ts'
import { updateInvocation } from '../../../core/store/invocations.ts'
import type { RepoPaths } from '../../../core/store/paths.ts'
import { deriveOutcome } from '../../stream/outcome.ts'

export interface LedgerDoors {
  readonly paths: RepoPaths
  readonly processes: Processes
  readonly clock: Clock
}

export interface RunSummary extends RunEnd {
  readonly last_output_at: Date | null
  /** How many processes the runner had left behind, which were then ended. */
  readonly left_behind: number
}

export interface Ledger {
  started(host: HostRecord, runnerPid: number): Promise<void>
  session(sessionId: string): void
  lost(bytes: number, error: unknown): void
  /** An event beside the run. It is best effort. */
  note(event: NewEvent): void
  ended(summary: RunSummary): Promise<void>
}

const WAITS: readonly ErrorCode[] = ['E_LOCKED', 'E_DATA_UNWRITABLE', 'E_DISK_FAILED', 'E_FILE_SYSTEM_LIMIT']
const LONGEST_PAUSE = 5000

export function openLedger(launch: HostLaunch, { paths, processes, clock }: LedgerDoors): Ledger {
  const id = launch.invocation_id
  let lostBytes = 0
  let gap: NewEvent | null = null
  let last: Promise<unknown> = Promise.resolve()

  type Change = Parameters<typeof updateInvocation>[2]
  const record = (change: Change, event: NewEvent): Promise<void> =>
    withLock(paths.lock, { processes, clock }, async () => {
      await updateInvocation(paths, id, change)
      noteGap()
      appendEvent(paths, id, event)
    })
  /** One after the other, because the lock is not reentrant. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const noteGap = (): void => {
    if (gap !== null) appendEvent(paths, id, gap)
    gap = null
  }

  return {
    started: (host, runnerPid) =>
      inTurn(() =>
        record(
          (before) => ({
            status: 'running',
            host,
            pid: launch.mode === 'headless' ? runnerPid : null,
            runner_session_id: launch.plan.runner_session_id ?? before.runner_session_id,
          }),
          { kind: 'started', message: `the runner was started as process ${runnerPid}` },
        ),
      ),
    session: (sessionId) => {
      const event = { kind: 'session', message: `the runner's session is ${sessionId}` } as const
      if (sessionId === launch.plan.runner_session_id) return
      void inTurn(() => record({ runner_session_id: sessionId }, event)).catch(complain)
    },
    lost: (bytes, error) => {
      if (lostBytes === 0) gap = gapEvent(error)
      lostBytes += bytes
      try {
        noteGap()
      } catch {
        // The disk is full for events too. It is noted when the disk takes writes again.
      }
    },
    note: (event) => {
      try {
        appendEvent(paths, id, event)
      } catch (error) {
        complain(error)
      }
    },
    ended: (summary) =>
      inTurn(() =>
        untilWritten(paths.invocation(id).meta, () =>
          record((before) => outcomeOf(before, summary, clock.now()), endedEvent(summary, lostBytes)),
        ),
      ),
  }
}

function outcomeOf(before: InvocationRecord, summary: RunSummary, now: Date): Partial<InvocationRecord> {
  const { exit_code, exit_signal, asked, result, last_error } = summary
  return {
    ...deriveOutcome({ exit_code, exit_signal, asked, result, last_error }),
    exit_code,
    exit_signal,
    finished_at: now.toISOString(),
    last_output_at: summary.last_output_at?.toISOString() ?? null,
    usage: result?.usage ?? null,
    landing_status: before.landing_status ?? 'pending',
  }
}

function endedEvent(summary: RunSummary, lost_bytes: number): NewEvent {
  const { exit_code, exit_signal, asked, left_behind } = summary
  const how = exit_signal === null ? `exited with code ${exit_code ?? 'unknown'}` : `ended by ${exit_signal}`
  const after = { nothing: '', stop: ' after it was asked to stop', kill: ' when it was killed' }[asked]
  const count = left_behind === 1 ? '1 process' : `${left_behind} processes`
  const rest = left_behind === 0 ? '' : `; ${count} that it left behind ended too`
  return {
    kind: 'ended',
    message: `the runner ${how}${after}${rest}`,
    exit_code,
    exit_signal,
    asked,
    left_behind,
    lost_bytes,
  }
}

const gapEvent = (error: unknown): NewEvent => ({
  kind: 'log_gap',
  message: `output could not be logged, and is missing there: ${String(error)}`,
})

async function untilWritten(path: string, write: () => Promise<void>): Promise<void> {
  for (let pause = 100; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await write()
    } catch (cause) {
      const error = toOurError(path, cause)
      if (!(error instanceof AgencyError && (isOfTheMoment(error.code) || WAITS.includes(error.code))))
        throw error
      await sleep(pause)
    }
  }
}

const complain = (error: unknown): void => console.error(error)
