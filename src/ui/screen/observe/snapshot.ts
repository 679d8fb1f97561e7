// What the dashboard knows at one moment, and who keeps it. Views and keys read a snapshot and nothing else: no file, no
// git, no process is touched between a key and the screen.

import type { WorktreeView } from '../../../core/facade/agency.ts'
import type { SurveyedInvocation } from '../../../core/facade/watching.ts'
import type { AgencyError } from '../../../core/model/errors.ts'
import type { AgencyEvent } from '../../../core/model/event.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import type { BrokenInvocation } from '../../../core/model/invocation.ts'
import type { LandingForecast } from '../../../core/model/landing.ts'
import type { Operation } from '../../../core/model/operation.ts'

/**
 * Immutable. What did not change is the same object as in the snapshot before, lists too, so that views can compare by
 * identity. Worktrees and invocations are in the order in which they were made, oldest first.
 */
export interface Snapshot {
  /** Archived ones only where `archived_shown`. */
  readonly worktrees: readonly WorktreeView[]
  /** Landed and discarded ones, and those of archived worktrees, only where `archived_shown`. */
  readonly invocations: readonly ObservedInvocation[]
  readonly broken: readonly BrokenInvocation[]
  readonly counters: Counters
  /** What `u` and `U` would act on; null: nothing. */
  readonly history: UndoHistory
  /** Of the selected invocation; null while nothing is selected or read. */
  readonly detail: Detail | null
  readonly archived_shown: boolean
  /** The closed ones were asked for and are still being read. */
  readonly archived_loading: boolean
  /** When all of it was last read; null before the first time. */
  readonly taken_at: Date | null
  /** Since when reading fails or hangs; null while all is well. */
  readonly stale_since: Date | null
  /** Why, in words; null while it only takes long. */
  readonly trouble: AgencyError | null
  /** `polling`: changes cannot be watched on this machine and are seen some seconds later. */
  readonly watching: 'live' | 'polling'
  /** What git is at in the background; null where it is at nothing. */
  readonly background: BackgroundWork | null
}

export interface ObservedInvocation extends SurveyedInvocation {
  readonly diff: Measured<Diffstat>
  readonly forecast: Measured<LandingForecast>
}

/** Something that git has to work out: shown as it last was, with its age. */
export interface Measured<T> {
  /** null: never worked out. A failure keeps what was known before. */
  readonly value: T | null
  /** When `value` was worked out. */
  readonly at: Date | null
  /** The last attempt failed; never to be shown as 'no changes'. */
  readonly failed: AgencyError | null
}

export interface Diffstat {
  readonly added: number
  readonly deleted: number
  readonly files: number
}

/** Of the invocations that are not closed. */
export interface Counters {
  readonly working: number
  readonly needs_you: number
  readonly ready: number
  readonly failed: number
}

export interface UndoHistory {
  readonly undo: Operation | null
  readonly redo: Operation | null
}

export interface Detail {
  readonly invocation_id: InvocationId
  /** The last few, oldest first. */
  readonly events: readonly AgencyEvent[]
  readonly failed: AgencyError | null
}

export interface BackgroundWork {
  readonly what: 'diff' | 'forecast'
  readonly invocation_id: InvocationId
  readonly since: Date
}

export interface Observer {
  snapshot(): Snapshot
  /** Told after each change, at most some 20 times a second. Returns what ends it. */
  onChange(listener: (snapshot: Snapshot) => void): () => void
  /** Reads one record again, or all of them, and asks git anew: for after a verb of ours. */
  refresh(id?: InvocationId): void
  /** Rows on the screen: git works for these only. None: the terminal is not looked at, and nothing is worked out. */
  setVisible(ids: readonly InvocationId[]): void
  /** Whose `detail` is wanted. */
  select(id: InvocationId | null): void
  showArchived(shown: boolean): void
  /** A key for an agent was pressed: nothing that can wait begins in the moments after it. */
  hold(): void
  /** Milliseconds for which it waits at least; 0 while nobody types. */
  heldFor(): number
  close(): Promise<void>
}

/** Before anything was read. */
export const EMPTY_SNAPSHOT: Snapshot = {
  worktrees: [],
  invocations: [],
  broken: [],
  counters: { working: 0, needs_you: 0, ready: 0, failed: 0 },
  history: { undo: null, redo: null },
  detail: null,
  archived_shown: false,
  archived_loading: false,
  taken_at: null,
  stale_since: null,
  trouble: null,
  watching: 'live',
  background: null,
}

export const UNMEASURED: Measured<never> = { value: null, at: null, failed: null }
