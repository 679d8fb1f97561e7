// What a slot shows instead of a terminal: the log, the diff or the checkpoints of an invocation. Keys, mouse and
// searches go to the one that is shown, and it draws itself.

import { actOnDiff, type DiffReply } from '../diff/act-on-diff.ts'
import { type DiffState, loadDiff } from '../diff/diff-state.ts'
import { pointDiff } from '../diff/point-diff.ts'
import { searchDiff } from '../diff/search-diff.ts'
import { viewDiff } from '../diff/view-diff.ts'
import type { MouseAction } from '../input/input-event.ts'
import type { Action, Move } from '../keys/bindings.ts'
import { actOnLog } from '../log/act-on-log.ts'
import type { LogState } from '../log/log-state.ts'
import { pointLog } from '../log/point-log.ts'
import { acceptSearch, beginSearch, endSearch, searchLog } from '../log/search-log.ts'
import { viewLog } from '../log/view-log.ts'
import type { Look, Rect, SceneBox, Size } from '../scene.ts'
import { pointTimeline } from '../timeline/point-timeline.ts'
import { viewTimeline } from '../timeline/view-timeline.ts'
import type { DashboardState } from './dashboard-state.ts'
import { also, type Step, stay } from './message.ts'
import { findRow } from './selection.ts'
import { faceOf, slotOf } from './stage.ts'
import {
  actOnTimelineFace,
  changeComparison,
  compareNext,
  type TimelineAction,
  withTimeline,
} from './timeline-face.ts'

export type FaceAction = Extract<Action, `log.${string}` | `move.${Move}`> | TimelineAction

/** Has the face with the keyboard do what the key says. */
export function actOnFace(state: DashboardState, action: FaceAction): Step {
  const id = state.stage.active
  const row = id === null ? null : findRow(state, id)
  const slot = id === null ? null : slotOf(state, id)
  if (id === null || row === null || slot === null) return stay(state)
  const size: Size = { columns: slot.rect.width, rows: slot.rect.height }
  const verb = action.slice(action.indexOf('.') + 1)
  switch (faceOf(state, row)) {
    case 'terminal':
      return stay(state)
    case 'log': {
      const log = state.logs[id]
      if (log === undefined || action.startsWith('diff.')) return stay(state)
      return stay(withLog(state, id, actOnLog(log, verb as Parameters<typeof actOnLog>[1], size)))
    }
    case 'diff': {
      const diff = state.diffs[id]
      if (diff === undefined || isOfLog(action)) return stay(state)
      return replied(state, id, actOnDiff(diff, action as Parameters<typeof actOnDiff>[1], size))
    }
    case 'checkpoints': {
      const timeline = state.timelines[id]
      if (timeline === undefined || isOfLog(action)) return stay(state)
      return actOnTimelineFace(state, timeline, { action, size })
    }
  }
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
  const deed = deedOf(event)
  const point = { x: event.x - rect.x, y: event.y - rect.y }
  switch (faceOf(state, row)) {
    case 'terminal':
      return stay(state)
    case 'log': {
      const log = state.logs[id]
      return stay(log === undefined ? state : withLog(state, id, pointLog(log, event, rect)))
    }
    case 'diff': {
      const diff = state.diffs[id]
      if (diff === undefined || deed === null) return stay(state)
      return replied(state, id, pointDiff(diff, { point, deed, rect }))
    }
    case 'checkpoints': {
      const timeline = state.timelines[id]
      if (timeline === undefined || deed === null) return stay(state)
      const pointed = pointTimeline(timeline, { point, deed, rect })
      const after = withTimeline(state, id, pointed.state)
      return pointed.compare ? compareNext(after, id) : stay(after)
    }
  }
}

function deedOf({ action, button }: MouseAction): 'click' | 'wheel_up' | 'wheel_down' | null {
  if (action === 'press' && button === 'left') return 'click'
  return action === 'wheel_up' || action === 'wheel_down' ? action : null
}

/** If the diff wants to show something else, asks for it. */
function replied(state: DashboardState, id: string, { state: diff, wants }: DiffReply): Step {
  if (wants === null) return stay(withDiff(state, id, diff))
  return also(withDiff(state, id, loadDiff(diff, state.now)), { do: 'read_diff', id, want: wants })
}

interface FaceSearch {
  readonly text: string
  readonly stage: 'begun' | 'typed' | 'done' | 'given up'
}

/** Called for each key: `done` keeps what was found, `given up` goes back to where the person was. */
export function searchFace(state: DashboardState, id: string, { text, stage }: FaceSearch): DashboardState {
  const slot = slotOf(state, id)
  const row = findRow(state, id)
  if (slot === null || row === null) return state
  const size = { columns: slot.rect.width, rows: slot.rect.height }
  const search = (diff: DiffState): DiffState =>
    stage === 'begun' || stage === 'done' ? diff : searchDiff(diff, stage === 'typed' ? text : '')
  switch (faceOf(state, row)) {
    case 'terminal':
      return state
    case 'log': {
      const log = state.logs[id]
      return log === undefined ? state : withLog(state, id, searchInLog(log, { text, stage }, size))
    }
    case 'diff': {
      const diff = state.diffs[id]
      return diff === undefined ? state : withDiff(state, id, search(diff))
    }
    case 'checkpoints':
      return changeComparison(state, id, search)
  }
}

function searchInLog(log: LogState, { text, stage }: FaceSearch, size: Size): LogState {
  switch (stage) {
    case 'begun':
      return beginSearch(log, size)
    case 'typed':
      return searchLog(log, text, size)
    case 'done':
      return acceptSearch(log)
    case 'given up':
      return endSearch(log)
  }
}

/** No boxes until it has been opened. */
export function viewFace(state: DashboardState, { id, rect }: FacePlace, look: Look): readonly SceneBox[] {
  const row = findRow(state, id)
  if (row === null) return []
  switch (faceOf(state, row)) {
    case 'terminal':
      return []
    case 'log': {
      const log = state.logs[id]
      return log === undefined ? [] : viewLog(log, rect, look)
    }
    case 'diff': {
      const diff = state.diffs[id]
      return diff === undefined ? [] : viewDiff(diff, rect, look)
    }
    case 'checkpoints': {
      const timeline = state.timelines[id]
      return timeline === undefined ? [] : viewTimeline(timeline, rect, look)
    }
  }
}

export const withLog = (state: DashboardState, id: string, log: LogState): DashboardState =>
  log === state.logs[id] ? state : { ...state, logs: { ...state.logs, [id]: log } }

export const withDiff = (state: DashboardState, id: string, diff: DiffState): DashboardState =>
  diff === state.diffs[id] ? state : { ...state, diffs: { ...state.diffs, [id]: diff } }
