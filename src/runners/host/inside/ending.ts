// Makes a runner end: politely first and then less so, or at once. Ends every process of the invocation, not only the
// first, and says truthfully whether they have ended.

import type { Clock } from '../../../core/doors/effects.ts'
import type { RunEnd } from '../../../core/model/runner.ts'
import type { RunProcesses } from '../../environments/platform.ts'

/** Milliseconds. */
export const STOP_GRACE = 5000
/** Milliseconds after SIGTERM before the answer is no. */
export const TERM_PATIENCE = 3000
/** Milliseconds after SIGKILL. Only a process that hangs in the kernel lives longer. */
export const KILL_PATIENCE = 10_000
/** Milliseconds between SIGTERM and SIGKILL for processes that a runner has left behind. */
export const LEFTOVER_GRACE = 1000
const POLL = 20

export interface EndingDoors {
  /** Of the invocation, as its platform finds them. */
  readonly processes: RunProcesses
  readonly clock: Clock
  /** A terminal's shell ignores SIGINT and SIGTERM, but ends when its terminal is gone. */
  readonly headed: boolean
}

export interface Ending {
  asked(): RunEnd['asked']
  /** Resolves true once `settle` was called, false if the runner is still alive after all that. */
  request(how: 'stop' | 'kill'): Promise<boolean>
  /** After the runner's end: ends the processes that it has left behind, and returns how many there were. */
  sweep(): Promise<number>
  /** To be called when everything has ended and is on record. */
  settle(): void
}

export function createEnding({ processes, clock, headed }: EndingDoors): Ending {
  let asked: RunEnd['asked'] = 'nothing'
  let gone = false
  let settle = (): void => {}
  const settled = new Promise<true>((resolve) => {
    settle = () => resolve(true)
  })
  const within = (milliseconds: number): Promise<boolean> =>
    Promise.race([settled, clock.sleep(milliseconds).then(() => false)])
  /** Looks at processes and not at the record, because the record may have to wait for a lock. */
  const haveEnded = async (patience: number): Promise<boolean> =>
    (await within(patience)) || (await processes.count()) === 0

  const stop = async (): Promise<boolean> => {
    await processes.signal('SIGINT')
    if (await within(STOP_GRACE)) return true
    // The runner itself may have ended already, while its outcome still waits for a lock.
    if (asked === 'stop' && !gone) {
      await processes.signal('SIGTERM')
      if (headed) await processes.signal('SIGHUP')
    }
    return haveEnded(TERM_PATIENCE)
  }
  const killAll = async (patience: number): Promise<void> => {
    const deadline = clock.elapsed() + patience
    while ((await processes.signal('SIGKILL')) > 0) {
      if (clock.elapsed() > deadline) return
      await clock.sleep(POLL)
    }
  }
  return {
    asked: () => asked,
    request: async (how) => {
      if (asked !== 'kill' && !gone) asked = how
      if (how === 'stop') return stop()
      await killAll(KILL_PATIENCE)
      return haveEnded(TERM_PATIENCE)
    },
    sweep: async () => {
      gone = true
      const left = await processes.signal('SIGTERM')
      const deadline = clock.elapsed() + LEFTOVER_GRACE
      while ((await processes.count()) > 0 && clock.elapsed() < deadline) await clock.sleep(POLL)
      await killAll(KILL_PATIENCE)
      return left
    },
    settle: () => settle(),
  }
}
