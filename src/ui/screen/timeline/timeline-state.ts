// The checkpoints of one sandbox as a list in time: what was read of it, which one the person is at, and what that one
// is compared with.

import type { Checkpoint, CheckpointTally } from '../../../core/model/checkpoint.ts'
import type { Action } from '../keys/bindings.ts'
import type { Comparison } from './comparison.ts'

export interface TimelineFacts {
  /** The invocation's id. */
  readonly id: string
  /** Its name on the border, such as `b7c9 claude`. */
  readonly name: string
  /** Its sandbox is gone: there will be no more checkpoints, and no present state to compare with. */
  readonly closed: boolean
  /** The person's key for an action, as it is shown; empty if they have taken it away. */
  readonly chord: (action: Action) => string
}

export interface TimelineFailure {
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface TimelineState {
  readonly facts: TimelineFacts
  /** What was known of the list when it was read. If that changes, the list is read again. */
  readonly seen: CheckpointTally | null
  readonly failure: TimelineFailure | null
  /** Newest first; null until they are read. */
  readonly checkpoints: readonly Checkpoint[] | null
  /** Number of the checkpoint that the person is at; null if there is none. */
  readonly selected: number | null
  /** First row that is shown. */
  readonly top: number
  /** null while the list is shown. */
  readonly comparison: Comparison | null
}

/** Not read yet. */
export const openTimeline = (facts: TimelineFacts, seen: CheckpointTally | null): TimelineState => ({
  facts,
  seen,
  failure: null,
  checkpoints: null,
  selected: null,
  top: 0,
  comparison: null,
})

/** `read` is oldest first. The person stays at the same checkpoint; if that was thinned out, at the next older one. */
export function receiveTimeline(state: TimelineState, read: readonly Checkpoint[]): TimelineState {
  const checkpoints = read.toReversed()
  const { selected } = state
  const kept = selected === null ? undefined : checkpoints.find(({ id }) => id <= selected)
  const at = kept ?? checkpoints[selected === null ? 0 : checkpoints.length - 1]
  return { ...state, failure: null, checkpoints, selected: at?.id ?? null }
}

/** What was read before is kept, for when reading works again. */
export const failTimeline = (state: TimelineState, failure: TimelineFailure): TimelineState => ({
  ...state,
  failure,
})

/** null while the list does not show any. */
export const shownCheckpoints = ({ failure, checkpoints }: TimelineState): readonly Checkpoint[] | null =>
  failure === null && checkpoints !== null && checkpoints.length > 0 ? checkpoints : null

/** The place in the list where the person is. */
export const currentIndex = ({ checkpoints, selected }: TimelineState): number =>
  Math.max(0, checkpoints?.findIndex(({ id }) => id === selected) ?? 0)

/** The checkpoint that keys act on: the compared one, otherwise the selected one. */
export function chosenCheckpoint(state: TimelineState): Checkpoint | null {
  const number = state.comparison?.checkpoint ?? state.selected
  return shownCheckpoints(state)?.find(({ id }) => id === number) ?? null
}
