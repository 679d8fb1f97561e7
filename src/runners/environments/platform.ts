// Where a runner's processes are: on this machine, or on another one that is reached by a process here. The host starts
// them by its platform only, and has them ended by it.

import type { Exec, ExecEnd } from '../../core/doors/spawner/exec.ts'
import type { TerminalChild, TerminalSize } from '../../core/doors/spawner/open-terminal.ts'
import type { StandardFiles } from '../../core/doors/spawner/start-on-files.ts'
import type { PreflightFailure } from '../../core/model/environment-catalog.ts'
import type { Environment } from '../../core/model/invocation.ts'

export interface Platform {
  /** What of it cannot be had from here. Changes nothing. */
  preflight(environment: Environment): Promise<readonly PreflightFailure[]>
  /** In a session of its own. Resolves when it has been executed. Throws E_RUNNER_START_FAILED. */
  startOnFiles(exec: Exec, files: StandardFiles): Promise<Started>
  /** Loads what opens terminals, which takes a while and can be done early. */
  loadTerminals(): Promise<StartOnTerminal>
  processesOf(run: RunPlace): RunProcesses
}

export interface Started {
  readonly pid: number
  readonly exited: Promise<ExecEnd>
}

/** At once: the terminal must be read from the moment at which it is there. Throws E_RUNNER_START_FAILED. */
export type StartOnTerminal = (exec: Exec, size: TerminalSize) => TerminalChild

export interface RunPlace {
  readonly invocation_id: string
  /** Real, outside. */
  readonly sandbox_path: string
}

/** Every process of one invocation, not only the first, wherever on the platform it runs. */
export interface RunProcesses {
  count(): Promise<number>
  /** Returns how many there were to be told. */
  signal(signal: NodeJS.Signals): Promise<number>
}
