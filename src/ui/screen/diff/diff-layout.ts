// Where the boxes of the diff view are: lists at the left and hunks at the right. In a narrow place the list is above
// the hunks, and while the hunks have the focus they take all of it.

import type { Rect } from '../scene.ts'
import { type DiffState, partsOf, shownContent } from './diff-state.ts'

const NARROW = 70
/** In a lower place two boxes above each other would have no row each. */
const LOW = 8

export interface DiffLayout {
  /** null where it is not shown. */
  readonly commits: Rect | null
  readonly files: Rect | null
  readonly hunks: Rect | null
}

export function layOutDiff(state: DiffState, rect: Rect): DiffLayout {
  return rect.width < NARROW ? layNarrow(state, rect) : layWide(state, rect)
}

function layWide(state: DiffState, { x, y, width, height }: Rect): DiffLayout {
  const left = Math.max(26, Math.min(48, Math.round(width * 0.3)))
  const lists = { x, y, width: left, height }
  const hunks = { x: x + left, y, width: width - left, height }
  if (state.want.part === undefined) return { commits: null, files: lists, hunks }
  if (height < LOW) return { ...onlyFocused(state, lists), hunks }
  const upper = Math.max(3, Math.min(partsOf(state).length + 2, Math.floor(height * 0.4)))
  return {
    commits: { ...lists, height: upper },
    // They share a line, which is a border of both.
    files: { ...lists, y: y + upper - 1, height: height - upper + 1 },
    hunks,
  }
}

function layNarrow(state: DiffState, rect: Rect): DiffLayout {
  if (state.focus === 'hunks') return { commits: null, files: null, hunks: rect }
  if (rect.height < LOW) return { ...onlyFocused(state, rect), hunks: null }
  const rows = state.focus === 'commits' ? partsOf(state).length : (shownContent(state)?.files.length ?? 0)
  const upper = Math.max(3, Math.min(rows + 2, Math.floor(rect.height / 2)))
  const lists = onlyFocused(state, { ...rect, height: upper })
  return { ...lists, hunks: { ...rect, y: rect.y + upper - 1, height: rect.height - upper + 1 } }
}

const onlyFocused = ({ focus }: DiffState, rect: Rect): Omit<DiffLayout, 'hunks'> =>
  focus === 'commits' ? { commits: rect, files: null } : { commits: null, files: rect }
