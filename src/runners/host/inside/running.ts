// A running runner as the rest of the host sees it. Only here does it matter whether it has a terminal.

import type { Exec, ExecEnd } from '../../../core/doors/spawner/exec.ts'
import type { ReportedStatus } from '../../../core/model/reported-status.ts'
import type { HostLaunch, RunEnd } from '../../../core/model/runner.ts'
import type { InvocationPaths } from '../../../core/store/paths.ts'

export interface Running {
  readonly pid: number
  readonly exited: Promise<ExecEnd>
  /** The live screen of a headed run. */
  readonly terminal: LiveTerminal | null
  /** Takes what is still in the pipes and closes the logs. To be called when all processes have ended. */
  drain(): Promise<void>
  lastOutputAt(): Date | null
  verdict(): Pick<RunEnd, 'result' | 'last_error'>
}

export interface LiveTerminal {
  /** The screen as it is now, as sequences that draw it on a reset terminal. */
  snapshot(scrollback: number): Uint8Array
  /** All that its emulator is, for an emulator like it. */
  state(scrollback: number): Uint8Array
  write(bytes: Uint8Array): void
  /** Types a whole text and what is pressed after it, the way a person would. */
  send(bytes: Uint8Array): void
  /** Bytes that the runner has not read yet. */
  pendingInput(): number
  resize(columns: number, rows: number): void
  /**
   * Tells what the screen has taken, cut between sequences, so that a client that joins between two pieces misses
   * nothing.
   */
  listen(onOutput: (bytes: Uint8Array) => void): void
}

export interface RunOptions {
  readonly launch: HostLaunch
  readonly paths: InvocationPaths
  /** What the platform is to start: the plan, wrapped by the box. */
  readonly exec: Exec
  readonly now: () => Date
  /** Output that could not be logged. */
  readonly onLost: (bytes: number, error: unknown) => void
  /** The runner named its session. */
  readonly onSession: (sessionId: string) => void
  /** The runner has said that its turn has ended. */
  readonly onTurnEnd: () => void
  /** Somebody pressed a key. */
  readonly onTyped: () => void
  /** Stores the state that a headed runner reports. */
  readonly keepStatus: (status: ReportedStatus | null) => Promise<void>
}
