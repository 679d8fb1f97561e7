// What isolates a runner. The host, which stays outside, asks the box of its record's environment what to execute in the
// place of the runner's plan; a new kind of box is one file and one row in primitives.ts.

import type { Exec } from '../../core/doors/spawner/exec.ts'
import type { PreflightFailure } from '../../core/model/environment-catalog.ts'
import type { Environment } from '../../core/model/invocation.ts'

export interface Box {
  /** What of it cannot be had on this machine. Changes nothing. */
  preflight(environment: Environment): Promise<readonly PreflightFailure[]>
  /** How whoever is inside calls what is at `path` outside. Plans are made with these. Pure. */
  inside(path: string): string
  open(place: BoxPlace): Promise<OpenBox>
}

export interface BoxPlace {
  readonly invocation_id: string
  /** Real, outside. */
  readonly sandbox_path: string
}

export interface OpenBox {
  /**
   * What to execute outside, so that the plan is executed inside. A plan's arguments and variables are as they are
   * inside; its `cwd` leads to the sandbox from outside, and holds it whatever is put in its place. `argv[0]` is absolute
   * before and after.
   */
  wrap(plan: Exec): Exec
  /** Called once, when nothing runs inside any more, be it after the run or where it could not be started. */
  close(): Promise<void>
}
