// What someone who watches all day asks for and is told.

import type { InvocationView } from './agency.ts'
import type { InvocationId, WorktreeId } from './model/ids.ts'
import type { BrokenInvocation } from './model/invocation.ts'
import type { Operation } from './model/operation.ts'

export interface SurveyOptions {
  /** These alone, instead of all; one that does not exist is left out. */
  readonly only?: readonly InvocationId[]
  /** Without landed and discarded ones, which are most in the end. */
  readonly open_only?: boolean
  /** Not looked at. */
  readonly skip?: ReadonlySet<InvocationId>
}

export interface SurveyedInvocation extends InvocationView {
  /** null: there are none, or their list cannot be read. */
  readonly checkpoints: CheckpointTally | null
}

export interface CheckpointTally {
  readonly count: number
  /** When the last one was taken. RFC 3339. */
  readonly last_at: string
  /** Another one whenever the list has changed, if only by a name. */
  readonly stamp: string
}

export interface Survey {
  /** Oldest first. */
  readonly invocations: readonly SurveyedInvocation[]
  readonly broken: readonly BrokenInvocation[]
  /** Those that `open_only` left out. */
  readonly closed: readonly InvocationId[]
}

/** A part of the operation log, oldest first. */
export interface OperationPage {
  readonly operations: readonly Operation[]
  /** In bytes. Not what was asked for where the log has become shorter: then it is all of it. */
  readonly begin: number
  /** Where the next part begins. */
  readonly end: number
}

/** Which records changed since the last time. */
export interface RecordChange {
  /** It is not known which: all of them may have. */
  readonly everything: boolean
  readonly worktrees: readonly WorktreeId[]
  readonly invocations: readonly InvocationId[]
  /** The operation log. */
  readonly operations: boolean
}

export interface RecordListener {
  changed(change: RecordChange): void
  /** Told once: changes cannot be watched here, so from now on everything may have changed every few seconds. */
  slowed(error: unknown): void
}

export interface Following {
  readonly worktrees: readonly WorktreeId[]
  /** Invocations that may change: those that are not landed or discarded. */
  readonly open: readonly InvocationId[]
  /** Those that run: what they report of themselves is watched too. */
  readonly active: readonly InvocationId[]
}

export interface RecordWatch {
  /**
   * Whose changes are to be told, from now on. New records are told in any case, and what `operations` names may have
   * changed too.
   */
  follow(following: Following): void
  close(): Promise<void>
}
