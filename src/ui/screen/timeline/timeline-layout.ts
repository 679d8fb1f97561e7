// Where the parts are: the list, with facts about the selected checkpoint below it; or, during a comparison, that
// checkpoint's row above the diff, so that one always sees what the diff is about.

import type { Rect } from '../scene.ts'
import { detailHeight } from './checkpoint-detail.ts'
import { shownCheckpoints, type TimelineState } from './timeline-state.ts'

export interface TimelineLayout {
  readonly list: Rect
  /** null if there is no room, or nothing to tell. Shares a line with the list. */
  readonly detail: Rect | null
}

/** Rows, with borders, that the detail has to leave for the list. */
const LEAST_LIST = 7

export function layOutTimeline(state: TimelineState, rect: Rect): TimelineLayout {
  const shown = shownCheckpoints(state)
  const height = shown === null ? 0 : detailHeight(shown) + 2
  if (height === 0 || rect.height - height + 1 < LEAST_LIST) return { list: rect, detail: null }
  const list = { ...rect, height: rect.height - height + 1 }
  return { list, detail: { ...rect, y: rect.y + list.height - 1, height } }
}

export interface ComparisonLayout {
  /** null if the diff needs all the room. Shares a line with the diff. */
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
