// Why an action does not apply now, in words for the footer and the palette; null if it does.

import { shortId } from '../../../core/model/ids.ts'
import { isActive, isClosed } from '../../../core/model/invocation.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import type { Action } from '../keys/bindings.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import type { DashboardState } from './dashboard-state.ts'
import { groupsOf } from './groups.ts'
import { nextInNeed } from './needs-you.ts'
import { currentRow, currentWorktree } from './selection.ts'
import { stagedIds } from './stage.ts'
import { whyNotOnCheckpoint } from './why-not-on-checkpoint.ts'

type Reason = string | null

export function whyNot(state: DashboardState, action: Action): Reason {
  const [group] = action.split('.')
  if (group === 'invocation') return ofInvocation(state, action)
  if (group === 'worktree') return ofWorktree(state, action)
  if (group !== undefined && FACES[group] !== undefined) {
    return ofFace(state, group) ?? whyNotOnCheckpoint(state, action)
  }
  return REASONS[action]?.(state) ?? null
}

const REASONS: Partial<Record<Action, (state: DashboardState) => Reason>> = {
  'anywhere.undo': (state) => noWay(state, 'undo'),
  'anywhere.redo': (state) => noWay(state, 'redo'),
  'anywhere.next': (state) => (nextInNeed(state) === null ? 'no agent needs you' : null),
  'move.leave': ({ stage, tree, toasts }) =>
    stage.active === null && tree.filter === '' && toasts.length === 0 ? 'this is the tree already' : null,
  'anywhere.zoom': (state) => (stagedIds(state).length === 0 ? 'there is no pane to zoom' : null),
}

function noWay({ snapshot, toasts }: DashboardState, way: 'undo' | 'redo'): Reason {
  const offered = toasts.some(({ offers }) => offers === way)
  return offered || snapshot.history[way] !== null ? null : `there is nothing to ${way}`
}

function ofInvocation(state: DashboardState, action: Action): Reason {
  const row = currentRow(state)
  if (row === null) return 'select an agent first'
  const busy = state.tasks.find(({ about }) => about === row.record.invocation_id)
  if (busy !== undefined && CHANGES.has(action)) return `wait: ${busy.words}`
  return INVOCATION_REASONS[action]?.(row) ?? null
}

const CHANGES = new Set<Action>([
  'invocation.land',
  'invocation.discard',
  'invocation.stop',
  'invocation.kill',
  'invocation.rename',
])

const said = ({ record, display }: ObservedInvocation): string =>
  `${shortId(record.invocation_id)} is ${STATE_LOOKS[display].words}`

const closed = (row: ObservedInvocation): Reason =>
  isClosed(row.record) ? `${said(row)}: u takes it back` : null

const outOfReach = (row: ObservedInvocation): Reason =>
  row.path === null ? `no path leads to the files of ${shortId(row.record.invocation_id)}` : null

const running = (row: ObservedInvocation): Reason =>
  isActive(row.record) ? `${shortId(row.record.invocation_id)} is still running: s stops it first` : null

const ended = (row: ObservedInvocation): Reason =>
  isActive(row.record) ? null : `${shortId(row.record.invocation_id)} is not running`

const INVOCATION_REASONS: Partial<Record<Action, (row: ObservedInvocation) => Reason>> = {
  'invocation.diff': closed,
  'invocation.land': (row) => closed(row) ?? running(row),
  'invocation.discard': closed,
  'invocation.stop': ended,
  'invocation.kill': ended,
  'invocation.checkpoint': closed,
  'invocation.open': (row) => closed(row) ?? outOfReach(row),
  'invocation.reply': (row) => {
    const { invocation_id: id, runner_session_id: session, mode } = row.record
    if (isActive(row.record))
      return mode === 'headed' ? null : 'a headless agent takes no replies while it works'
    return session === null ? `${shortId(id)} has left no session to go on with: n starts a new agent` : null
  },
}

function ofWorktree(state: DashboardState, action: Action): Reason {
  const view = currentWorktree(state)
  if (view === null) return 'select a worktree first'
  if (view.record.state === 'archived') return `${view.record.name} is archived`
  const busy = state.tasks.find(({ about }) => about === view.record.worktree_id)
  return busy !== undefined && action === 'worktree.archive' ? `wait: ${busy.words}` : null
}

const FACES: Readonly<Partial<Record<string, string>>> = {
  pane: 'a terminal',
  log: 'a log',
  diff: 'a diff',
  checkpoints: 'a list of checkpoints',
  compare: 'a diff of a checkpoint',
}

function ofFace(state: DashboardState, group: string): Reason {
  const groups: readonly string[] = groupsOf(state)
  return groups.includes(group) ? null : `only while ${FACES[group]} has the keyboard`
}
