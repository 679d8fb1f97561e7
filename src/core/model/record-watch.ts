// What someone who watches records is told, and whose changes they ask for.

import type { InvocationId, WorktreeId } from './ids.ts'

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
