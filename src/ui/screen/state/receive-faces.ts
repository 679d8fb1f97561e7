// What is read of logs and diffs comes in here, and what the observer tells of their invocations.

import { isActive } from '../../../core/model/invocation.ts'
import { colourDiff, failDiff, loadDiff, openDiff, receiveDiff } from '../diff/diff-state.ts'
import { endLog, failLog, resumeLog } from '../log/end-log.ts'
import { openLog } from '../log/log-state.ts'
import { receiveLog } from '../log/receive-log.ts'
import { searchOn } from '../log/search-log.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import type { DashboardState } from './dashboard-state.ts'
import { withDiff, withLog } from './faces.ts'
import { also, type Command, type Message, type Step, stay } from './message.ts'
import { nameRow, shownChord } from './naming.ts'
import { findRow } from './selection.ts'
import { faceOf, slotOf, stagedIds } from './stage.ts'
import { coloured, receiveTimelineMessage, renewComparison, type TimelineMessage } from './timeline-face.ts'

export type FaceMessage =
  | Extract<Message, { kind: `log_${string}` | `diff_${string}` | 'highlighter' }>
  | TimelineMessage

export function receiveFace(state: DashboardState, message: FaceMessage): DashboardState {
  switch (message.kind) {
    case 'highlighter':
      return colour({ ...state, highlighter: message.highlighter })
    case 'log_opened':
      return beginLog(state, message)
    case 'log_batch':
    case 'log_failed':
    case 'log_search':
    case 'log_closed':
      return receiveOfLog(state, message)
    case 'diff_read':
    case 'diff_failed':
      return receiveOfDiff(state, message)
    case 'timeline_read':
    case 'timeline_failed':
    case 'timeline_compared':
    case 'timeline_not_compared':
      return receiveTimelineMessage(state, message)
  }
}

type LogMessage = Exclude<Extract<Message, { kind: `log_${string}` }>, { kind: 'log_opened' }>

function receiveOfLog(state: DashboardState, message: LogMessage): DashboardState {
  const { id } = message
  const log = state.logs[id]
  if (log === undefined) return state
  switch (message.kind) {
    case 'log_batch':
      return withLog(state, id, receiveLog(log, message.batch))
    case 'log_failed':
      return withLog(state, id, failLog(log, message.error))
    case 'log_search': {
      const slot = slotOf(state, id)
      if (slot === null) return state
      return withLog(state, id, searchOn(log, { columns: slot.rect.width, rows: slot.rect.height }))
    }
    case 'log_closed': {
      const { [id]: _, ...logs } = state.logs
      return { ...state, logs }
    }
  }
}

type DiffMessage = Extract<Message, { kind: `diff_${string}` }>

function receiveOfDiff(state: DashboardState, message: DiffMessage): DashboardState {
  const { id } = message
  const diff = state.diffs[id]
  if (diff === undefined) return state
  switch (message.kind) {
    case 'diff_read':
      return withDiff(state, id, receiveDiff(diff, message.diff))
    case 'diff_failed':
      return withDiff(state, id, failDiff(diff, message.error))
  }
}

/** Every diff that is there. */
function colour(state: DashboardState): DashboardState {
  const { highlighter } = state
  if (highlighter === null) return state
  const diffs = Object.entries(state.diffs).map(([id, diff]) => [id, colourDiff(diff, highlighter)])
  const timelines = Object.entries(state.timelines).map(([id, timeline]) => [id, coloured(timeline, state)])
  return { ...state, diffs: Object.fromEntries(diffs), timelines: Object.fromEntries(timelines) }
}

function beginLog(
  state: DashboardState,
  { id, paths }: Extract<Message, { kind: 'log_opened' }>,
): DashboardState {
  const row = findRow(state, id)
  if (row === null || state.logs[id] !== undefined) return state
  const { record, display } = row
  const { runner, mode } = record
  const opened = openLog({ id, title: rowTitle(row), runner, mode, display, paths })
  return followRow(withLog(state, id, opened), row)
}

/** A diff that is shown for the first time, or again. */
export function beginDiff(state: DashboardState, row: ObservedInvocation): Step {
  const id = row.record.invocation_id
  const before = state.diffs[id]
  const diff =
    before === undefined
      ? openDiff({ id, name: nameRow(row), chord: (action) => shownChord(state, action) }, state.now)
      : loadDiff(before, state.now)
  const coloured = state.highlighter === null ? diff : colourDiff(diff, state.highlighter)
  return also(withDiff(state, id, coloured), { do: 'read_diff', id, want: diff.want })
}

/** After a new snapshot: logs end or go on with their runs; a diff on the stage follows the work. */
export function followRows(before: DashboardState, state: DashboardState): Step {
  let after = state
  const commands: Command[] = []
  for (const id of Object.keys(after.logs)) {
    const row = findRow(after, id)
    if (row !== null && row !== findRow(before, id)) after = followRow(after, row)
  }
  for (const id of stagedIds(after)) {
    const row = findRow(after, id)
    const was = findRow(before, id)?.diff.value ?? null
    if (row === null || was === null || row.diff.value === null || was === row.diff.value) continue
    const step = followWork(after, row)
    after = step.state
    commands.push(...step.commands)
  }
  return commands.length === 0 ? stay(after) : also(after, ...commands)
}

function followWork(state: DashboardState, row: ObservedInvocation): Step {
  switch (faceOf(state, row)) {
    case 'diff':
      return beginDiff(state, row)
    case 'checkpoints':
      return also(state, ...renewComparison(state, row.record.invocation_id))
    case 'terminal':
    case 'log':
      return stay(state)
  }
}

const rowTitle = (row: ObservedInvocation): string => `${nameRow(row)} · ${row.worktree_name}`

function followRow(state: DashboardState, row: ObservedInvocation): DashboardState {
  const id = row.record.invocation_id
  const log = state.logs[id]
  if (log === undefined) return state
  const { display } = row
  const title = rowTitle(row)
  const same = log.facts.display === display && log.facts.title === title
  const told = same ? log : { ...log, facts: { ...log.facts, display, title } }
  if (isActive(row.record)) return withLog(state, id, told.ended ? resumeLog(told) : told)
  return withLog(state, id, endLog(told, { record: row.record, changedFiles: row.diff.value?.files ?? null }))
}
