// The mouse in the timeline: a click selects, a click on the selected one compares it, the wheel moves the selection. A
// diff that is shown has its own rules.

import { type Pointing, pointDiff } from '../diff/point-diff.ts'
import { visibleTop } from '../diff/visible-top.ts'
import { innerRect, type Point, type Rect } from '../scene.ts'
import { selectAt } from './act-on-timeline.ts'
import { layOutComparison, layOutTimeline } from './timeline-layout.ts'
import { currentIndex, shownCheckpoints, type TimelineState } from './timeline-state.ts'

interface Pointed {
  readonly point: Point
  readonly deed: Pointing
  readonly rect: Rect
}

export interface PointReply {
  readonly state: TimelineState
  /** Whether the selected checkpoint was clicked again. */
  readonly compare: boolean
}

/** `point` counts from the upper left corner of `rect`. */
export function pointTimeline(state: TimelineState, pointed: Pointed): PointReply {
  return state.comparison === null
    ? pointList(state, pointed)
    : { state: pointAtDiff(state, pointed), compare: false }
}

function pointList(state: TimelineState, { point, deed, rect }: Pointed): PointReply {
  const size = { columns: rect.width, rows: rect.height }
  const at = currentIndex(state)
  if (deed !== 'click') {
    return { state: selectAt(state, at + (deed === 'wheel_up' ? -1 : 1), size), compare: false }
  }
  const all = shownCheckpoints(state)
  const { height } = innerRect(layOutTimeline(state, { ...rect, x: 0, y: 0 }).list)
  const row = point.y - 1
  const top = visibleTop(state.top, { at, length: all?.length ?? 0, height })
  const inside = row >= 0 && row < height && top + row < (all?.length ?? 0)
  if (!inside) return { state, compare: false }
  return { state: selectAt(state, top + row, size), compare: top + row === at }
}

function pointAtDiff(state: TimelineState, { point, deed, rect }: Pointed): TimelineState {
  const { comparison } = state
  const { diff: place } = layOutComparison({ ...rect, x: 0, y: 0 })
  if (comparison === null || point.y < place.y) return state
  const reply = pointDiff(comparison.diff, { point: { ...point, y: point.y - place.y }, deed, rect: place })
  return { ...state, comparison: { ...comparison, diff: reply.state } }
}
