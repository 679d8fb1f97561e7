// What isolates a runner. The host itself stays outside. It asks the box, which its record's environment names, what to
// execute instead of the runner's plan. A new kind of box is one file and one row in primitives.ts.

import type { Exec } from '../../core/doors/spawner/exec.ts'
import type { Environment, EnvironmentExtra } from '../../core/model/environment.ts'
import type { PreflightFailure, ProofLine } from '../../core/model/environment-catalog.ts'
import type { RunnerNeeds } from '../../core/model/runner.ts'
import type { Denial } from './allow-proxy.ts'

export interface Box {
  /** What of these it can enforce. */
  readonly outputs: readonly string[]
  /** What it lets in and limits, of what an environment can ask for. Anything else is refused. */
  readonly grants: readonly EnvironmentExtra[]
  /** What is missing on this machine for this box. Changes nothing. */
  preflight(environment: Environment, machine: Machine): Promise<readonly PreflightFailure[]>
  /** What a path of ours is called inside. Plans are made with such paths. Pure. */
  inside(path: string): string
  open(place: BoxPlace): Promise<OpenBox>
}

/** What is known of this machine before anything is made. */
export interface Machine {
  /** The person's environment. */
  readonly env: NodeJS.ProcessEnv
  /** All that the program keeps. */
  readonly data_dir: string
}

export interface BoxPlace extends Machine {
  readonly invocation_id: string
  readonly environment: Environment
  /** Real, outside. */
  readonly sandbox_path: string
  /** The sandbox's own repository; null where it is a linked worktree. */
  readonly own_repository: string | null
  /** Directories of objects that the repository reads from. */
  readonly object_stores: readonly string[]
  /** The invocation's prompt as a file. It need not be there. */
  readonly prompt_path: string
  readonly needs: RunnerNeeds
  /** The sandbox's path of the run whose session is gone on with; null where there is none. */
  readonly resumed_path: string | null
  /** Of the host's own socket, in a private directory. Others may be made beside it. */
  readonly socket_path: string
  onDenied(denial: Denial): void
  /** The runner's program, absolute. The probe sees what it will see. */
  readonly executable: string
  /** Names of the variables that the runner's plan sets. */
  readonly planned: readonly string[]
  /** The person's environment. */
  readonly env: NodeJS.ProcessEnv
  /** All that the program keeps. */
  readonly data_dir: string
}

export const NO_NEEDS: RunnerNeeds = { variables: [], directories: [], hosts: [], host_variables: [] }

export interface OpenBox {
  /**
   * What has to be executed outside so that the plan is executed inside. The plan's arguments and variables are right
   * for the inside. Its `cwd` leads to the sandbox from the outside, even if something else is put in the sandbox's
   * place. `argv[0]` is absolute in both.
   */
  wrap(plan: Exec): Exec
  /** Tries to break out, from inside, before anything else runs there. Empty where nothing confines. */
  prove(): Promise<readonly ProofLine[]>
  /** Called once, when nothing runs inside any more: after the run, or if it could not be started. */
  close(): Promise<void>
}
