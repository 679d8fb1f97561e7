// Where the parts stand: the list with what is known of the selected checkpoint below it; while one is compared, its row
// above the diff, so that it is always seen what the diff is of.

import type { Rect } from '../scene.ts'
import { detailHeight } from './checkpoint-detail.ts'
import { shownCheckpoints, type TimelineState } from './timeline-state.ts'

export interface TimelineLayout {
  readonly list: Rect
  /** null where there is no room, or nothing to be told. Shares a line with the list. */
  readonly detail: Rect | null
}

/** Rows of the list, with its borders, that a detail must leave. */
const LEAST_LIST = 7

export function layOutTimeline(state: TimelineState, rect: Rect): TimelineLayout {
  const shown = shownCheckpoints(state)
  const height = shown === null ? 0 : detailHeight(shown) + 2
  if (height === 0 || rect.height - height + 1 < LEAST_LIST) return { list: rect, detail: null }
  const list = { ...rect, height: rect.height - height + 1 }
  return { list, detail: { ...rect, y: rect.y + list.height - 1, height } }
}

export interface ComparisonLayout {
  /** null where the diff needs all the room. Shares a line with the diff. */
  readonly head: Rect | null
  readonly diff: Rect
}

const HEAD = 3
const LEAST_DIFF = 6

export function layOutComparison(rect: Rect): ComparisonLayout {
  if (rect.height < HEAD + LEAST_DIFF) return { head: null, diff: rect }
  return {
    head: { ...rect, height: HEAD },
    diff: { ...rect, y: rect.y + HEAD - 1, height: rect.height - HEAD + 1 },
  }
}
