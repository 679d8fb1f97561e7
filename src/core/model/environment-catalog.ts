// What the core knows of environments: how they are asked for, never how a box is made. Their rows live in
// src/runners/environments.

import type { ErrorCode } from './error-codes.ts'
import type { Environment } from './invocation.ts'

/** Why something cannot be had here, as the error that it becomes. */
export interface PreflightFailure {
  readonly code: ErrorCode
  /** What is missing. */
  readonly message: string
  /** What to type. */
  readonly hint: string
}

/** An environment as a start meets it. */
export interface Surroundings {
  /**
   * What of it cannot be had on this machine, in the order of the primitives; none: all of it can. There is no lesser
   * box in the place of the one that was asked for. Asked before anything is made.
   */
  preflight(): Promise<readonly PreflightFailure[]>
  /** How whoever runs inside calls what is at `path` here. Throws the code of a refusal where there is no such box. */
  inside(path: string): string
}

export interface EnvironmentCatalog {
  readonly names: readonly string[]
  /** The five primitives, as they go on record. Throws E_ENVIRONMENT_UNKNOWN naming those that exist. */
  get(name: string): Environment
  of(environment: Environment): Surroundings
}
