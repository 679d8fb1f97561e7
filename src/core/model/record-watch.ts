// What somebody who watches records is told, and which records they can follow.

import type { InvocationId, WorktreeId } from './ids.ts'

/** Which records changed since the last time. */
export interface RecordChange {
  /** It is not known which ones changed: any may have. */
  readonly everything: boolean
  readonly worktrees: readonly WorktreeId[]
  readonly invocations: readonly InvocationId[]
  /** The operation log. */
  readonly operations: boolean
}

export interface RecordListener {
  changed(change: RecordChange): void
  /**
   * Called once, if changes cannot be watched here. From then on, everything is said to have changed every few seconds.
   */
  slowed(error: unknown): void
}

export interface Following {
  readonly worktrees: readonly WorktreeId[]
  /** Invocations that may change, because they are neither landed nor discarded. */
  readonly open: readonly InvocationId[]
  /** Running invocations: what they report of themselves is watched too. */
  readonly active: readonly InvocationId[]
}

export interface RecordWatch {
  /**
   * Says whose changes are to be told from now on. New records are told in any case. When `operations` is told, the
   * records that the log names may have changed too.
   */
  follow(following: Following): void
  close(): Promise<void>
}
