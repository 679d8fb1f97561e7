// The checkpoints of one sandbox as a list in time: what was read of it, which one the person is at, and what that one
// is being compared with.

import type { Checkpoint, CheckpointTally } from '../../../core/model/checkpoint.ts'
import type { Action } from '../bindings.ts'
import type { Comparison } from './comparison.ts'

export interface TimelineFacts {
  /** The invocation's id. */
  readonly id: string
  /** How it is called on the border: `b7c9 claude`. */
  readonly name: string
  /** Its sandbox is gone: nothing more is kept of it, and there is no now to compare with. */
  readonly closed: boolean
  /** The key by which the person reaches an action, as it is shown; empty where it was taken away. */
  readonly chord: (action: Action) => string
}

export interface TimelineFailure {
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface TimelineState {
  readonly facts: TimelineFacts
  /** What was known of the list when it was asked for: it is asked for again when that is another one. */
  readonly seen: CheckpointTally | null
  readonly failure: TimelineFailure | null
  /** Newest first; null until they are read. */
  readonly checkpoints: readonly Checkpoint[] | null
  /** Number of the one that the person is at; null where there is none. */
  readonly selected: number | null
  /** First row that is shown. */
  readonly top: number
  /** null while the list is shown. */
  readonly comparison: Comparison | null
}

/** It is about to be read. */
export const openTimeline = (facts: TimelineFacts, seen: CheckpointTally | null): TimelineState => ({
  facts,
  seen,
  failure: null,
  checkpoints: null,
  selected: null,
  top: 0,
  comparison: null,
})

/** `read` is oldest first. The person stays at the same one; where it was thinned out, at the next older. */
export function receiveTimeline(state: TimelineState, read: readonly Checkpoint[]): TimelineState {
  const checkpoints = read.toReversed()
  const { selected } = state
  const kept = selected === null ? undefined : checkpoints.find(({ id }) => id <= selected)
  const at = kept ?? checkpoints[selected === null ? 0 : checkpoints.length - 1]
  return { ...state, failure: null, checkpoints, selected: at?.id ?? null }
}

/** What was read before stays, for when it succeeds again. */
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

/** The one that keys act on: what is compared, else the selected one. */
export function chosenCheckpoint(state: TimelineState): Checkpoint | null {
  const number = state.comparison?.checkpoint ?? state.selected
  return shownCheckpoints(state)?.find(({ id }) => id === number) ?? null
}
