// What a slot shows instead of a terminal: the log, the diff or the checkpoints of an invocation. Keys, mouse, searches
// and the view go to whichever it is.

import type { Action, Move } from '../bindings.ts'
import { actOnDiff, type DiffReply } from '../diff/act-on-diff.ts'
import { type DiffState, loadDiff } from '../diff/diff-state.ts'
import { pointDiff } from '../diff/point-diff.ts'
import { searchDiff } from '../diff/search-diff.ts'
import { viewDiff } from '../diff/view-diff.ts'
import type { MouseAction } from '../input/input-event.ts'
import { actOnLog } from '../log/act-on-log.ts'
import type { LogState } from '../log/log-state.ts'
import { pointLog } from '../log/point-log.ts'
import { acceptSearch, beginSearch, endSearch, searchLog } from '../log/search-log.ts'
import { viewLog } from '../log/view-log.ts'
import type { Box, Look, Rect, Size } from '../scene.ts'
import { pointTimeline } from '../timeline/point-timeline.ts'
import { viewTimeline } from '../timeline/view-timeline.ts'
import type { DashboardState } from './dashboard-state.ts'
import { also, type Step, stay } from './message.ts'
import { findRow } from './selection.ts'
import { faceOf, slotOf } from './stage.ts'
import {
  actOnTimelineFace,
  changeComparison,
  compare,
  type TimelineAction,
  withTimeline,
} from './timeline-face.ts'

export type FaceAction = Extract<Action, `log.${string}` | `move.${Move}`> | TimelineAction

/** Does to the face with the keyboard what the key says. */
export function actOnFace(state: DashboardState, action: FaceAction): Step {
  const id = state.stage.active
  const row = id === null ? null : findRow(state, id)
  const slot = id === null ? null : slotOf(state, id)
  if (id === null || row === null || slot === null) return stay(state)
  const size: Size = { columns: slot.rect.width, rows: slot.rect.height }
  const verb = action.slice(action.indexOf('.') + 1)
  const log = state.logs[id]
  const diff = state.diffs[id]
  const face = faceOf(state, row)
  const timeline = state.timelines[id]
  if (face === 'checkpoints' && timeline !== undefined && !isOfLog(action)) {
    return actOnTimelineFace(state, timeline, { action, size })
  }
  if (face === 'log' && log !== undefined && !action.startsWith('diff.')) {
    return stay(withLog(state, id, actOnLog(log, verb as Parameters<typeof actOnLog>[1], size)))
  }
  if (face === 'diff' && diff !== undefined && !action.startsWith('log.')) {
    return replied(state, id, actOnDiff(diff, action as Parameters<typeof actOnDiff>[1], size))
  }
  return stay(state)
}

const isOfLog = (action: FaceAction): action is Extract<FaceAction, `log.${string}`> =>
  action.startsWith('log.')

export interface FacePlace {
  readonly id: string
  readonly rect: Rect
}

export function pointFace(state: DashboardState, event: MouseAction, { id, rect }: FacePlace): Step {
  const row = findRow(state, id)
  if (row === null) return stay(state)
  const log = state.logs[id]
  const diff = state.diffs[id]
  const face = faceOf(state, row)
  if (face === 'log' && log !== undefined) return stay(withLog(state, id, pointLog(log, event, rect)))
  const deed = event.action === 'press' && event.button === 'left' ? 'click' : event.action
  if (deed !== 'click' && deed !== 'wheel_up' && deed !== 'wheel_down') return stay(state)
  const point = { x: event.x - rect.x, y: event.y - rect.y }
  const timeline = state.timelines[id]
  if (face === 'checkpoints' && timeline !== undefined) {
    const pointed = pointTimeline(timeline, { point, deed, rect })
    const after = withTimeline(state, id, pointed.state)
    return pointed.compare ? compare(after, id) : stay(after)
  }
  if (face !== 'diff' || diff === undefined) return stay(state)
  return replied(state, id, pointDiff(diff, { point, deed, rect }))
}

/** What it wants to show instead is asked for. */
function replied(state: DashboardState, id: string, { state: diff, wants }: DiffReply): Step {
  if (wants === null) return stay(withDiff(state, id, diff))
  return also(withDiff(state, id, loadDiff(diff, state.now)), { do: 'read_diff', id, want: wants })
}

/** As it is typed: `done` keeps what was found, `given up` goes back to where the person was. */
export function searchFace(
  state: DashboardState,
  id: string,
  { text, stage }: { readonly text: string; readonly stage: 'begun' | 'typed' | 'done' | 'given up' },
): DashboardState {
  const slot = slotOf(state, id)
  const row = findRow(state, id)
  if (slot === null || row === null) return state
  const size = { columns: slot.rect.width, rows: slot.rect.height }
  const log = state.logs[id]
  const face = faceOf(state, row)
  if (face === 'log' && log !== undefined) {
    const searches = {
      begun: () => beginSearch(log, size),
      typed: () => searchLog(log, text, size),
      done: () => acceptSearch(log),
      'given up': () => endSearch(log),
    }
    return withLog(state, id, searches[stage]())
  }
  if (stage === 'begun' || stage === 'done') return state
  const search = (diff: DiffState): DiffState => searchDiff(diff, stage === 'typed' ? text : '')
  if (face === 'checkpoints') return changeComparison(state, id, search)
  const diff = state.diffs[id]
  return diff === undefined ? state : withDiff(state, id, search(diff))
}

/** None until it has been opened. */
export function viewFace(state: DashboardState, { id, rect }: FacePlace, look: Look): readonly Box[] {
  const row = findRow(state, id)
  if (row === null) return []
  const face = faceOf(state, row)
  const log = state.logs[id]
  const diff = state.diffs[id]
  if (face === 'log' && log !== undefined) return viewLog(log, rect, look)
  if (face === 'diff' && diff !== undefined) return viewDiff(diff, rect, look)
  const timeline = state.timelines[id]
  if (face === 'checkpoints' && timeline !== undefined) return viewTimeline(timeline, rect, look)
  return []
}

export const withLog = (state: DashboardState, id: string, log: LogState): DashboardState =>
  log === state.logs[id] ? state : { ...state, logs: { ...state.logs, [id]: log } }

export const withDiff = (state: DashboardState, id: string, diff: DiffState): DashboardState =>
  diff === state.diffs[id] ? state : { ...state, diffs: { ...state.diffs, [id]: diff } }
