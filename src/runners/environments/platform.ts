// Where a runner's processes are: on this machine, or on another one, reached through a process here. The host starts
// and ends them through their platform only.

import type { Exec, ExecEnd } from '../../core/doors/spawner/exec.ts'
import type { TerminalChild, TerminalSize } from '../../core/doors/spawner/open-terminal.ts'
import type { StandardFiles } from '../../core/doors/spawner/start-on-files.ts'
import type { Environment } from '../../core/model/environment.ts'
import type { PreflightFailure } from '../../core/model/environment-catalog.ts'

export interface Platform {
  /** What is missing for this platform from here. Changes nothing. */
  preflight(environment: Environment): Promise<readonly PreflightFailure[]>
  /** Starts it in a session of its own. Resolves when it has been executed. Throws E_RUNNER_START_FAILED. */
  startOnFiles(exec: Exec, files: StandardFiles): Promise<Started>
  /** Loads what opens terminals. That takes a while, so it can be called early. */
  loadTerminals(): Promise<StartOnTerminal>
  processesOf(run: RunPlace): RunProcesses
}

export interface Started {
  readonly pid: number
  readonly exited: Promise<ExecEnd>
}

/** Returns at once, because the terminal must be read from its first moment. Throws E_RUNNER_START_FAILED. */
export type StartOnTerminal = (exec: Exec, size: TerminalSize) => TerminalChild

export interface RunPlace {
  readonly invocation_id: string
  /** Real, outside. */
  readonly sandbox_path: string
}

/** All processes of one invocation, not only the first, wherever on the platform they run. */
export interface RunProcesses {
  count(): Promise<number>
  /** Returns how many processes were signalled. */
  signal(signal: NodeJS.Signals): Promise<number>
}
