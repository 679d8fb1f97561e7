// What the keys of a list of checkpoints do. Nothing is read here: `wants` tells the app what has to be read.

import { visibleTop } from '../diff/visible-top.ts'
import type { Move } from '../keys/bindings.ts'
import { innerRect, type Size } from '../scene.ts'
import { type ComparisonWant, comparable, nextAgainst } from './comparison.ts'
import { layOutTimeline } from './timeline-layout.ts'
import { chosenCheckpoint, currentIndex, shownCheckpoints, type TimelineState } from './timeline-state.ts'

/** `size` is that of the whole view, with its borders. */
export function moveInTimeline(state: TimelineState, to: Move, size: Size): TimelineState {
  const page = Math.max(1, listHeight(state, size) - 1)
  const steps: Readonly<Record<Move, number>> = {
    up: -1,
    down: 1,
    left: 0,
    right: 0,
    page_up: -page,
    page_down: page,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
  }
  return selectAt(state, currentIndex(state) + steps[to], size)
}

export function selectAt(state: TimelineState, index: number, size: Size): TimelineState {
  const shown = shownCheckpoints(state)
  if (shown === null) return state
  const at = Math.max(0, Math.min(index, shown.length - 1))
  const top = visibleTop(state.top, { at, length: shown.length, height: listHeight(state, size) })
  return { ...state, selected: shown[at]?.id ?? null, top }
}

const listHeight = (state: TimelineState, { columns, rows }: Size): number =>
  innerRect(layOutTimeline(state, { x: 0, y: 0, width: columns, height: rows }).list).height

/**
 * From the list: with the checkpoint before. From a comparison: the next kind that there is. null if nothing is chosen.
 */
export function wantedComparison(state: TimelineState): ComparisonWant | null {
  const chosen = chosenCheckpoint(state)
  if (chosen === null) return null
  const [first = 'base'] = comparable(state, chosen.id)
  return { checkpoint: chosen.id, against: state.comparison === null ? first : nextAgainst(state) }
}

export const closeComparison = (state: TimelineState): TimelineState => ({ ...state, comparison: null })
