// What the core knows of environments: how to ask for one, but not how a box is made. The rows are in
// src/runners/environments.

import type { Environment } from './environment.ts'
import type { ErrorCode } from './error-codes.ts'

/** Why something cannot be had here, in the form of the error that it becomes. */
export interface PreflightFailure {
  readonly code: ErrorCode
  /** What is missing. */
  readonly message: string
  /** What to type. */
  readonly hint: string
}

/** One attempt of the probe that runs in a box before its runner does. */
export interface ProofLine {
  /** Such as `write /usr`. */
  readonly attempt: string
  readonly must: 'fail' | 'work'
  /** It did as it must. */
  readonly held: boolean
}

/** An environment, as far as a start needs to know it. */
export interface Surroundings {
  /**
   * What cannot be had on this machine, in the order of the primitives; none if all of it can. Asked before anything is
   * made: nobody gets a weaker box than the one they asked for.
   */
  preflight(): Promise<readonly PreflightFailure[]>
  /** Opens a box on scratch directories and tries to break out of it. Empty where there is no box. */
  prove(): Promise<readonly ProofLine[]>
  /** What a path of ours is called inside. Throws the code of a refusal if there is no such box. */
  inside(path: string): string
}

export interface EnvironmentCatalog {
  readonly names: readonly string[]
  /** The five primitives, as the record will have them. Throws E_ENVIRONMENT_UNKNOWN, naming those that there are. */
  get(name: string): Environment
  of(environment: Environment): Surroundings
}

/** An environment as it is shown to a person who chooses. */
export interface EnvironmentView {
  readonly environment: Environment
  /** A start that names none is in it. */
  readonly is_default: boolean
  /** What it means, in words. */
  readonly words: string
  /** Why nothing can be started in it on this machine; none if it works here. */
  readonly refusals: readonly PreflightFailure[]
}

export interface EnvironmentCheck extends EnvironmentView {
  readonly lines: readonly ProofLine[]
  /** Whether an agent would be started in it. */
  readonly proved: boolean
}
