// The whole screen as a scene, made from the state. Pure.

import { type Line, span } from '../../text/line.ts'
import { wrapLine } from '../../text/wrap.ts'
import { showChord } from '../keys/chord-names.ts'
import { isTooSmall, LEAST_SIZE, type Slot } from '../layout.ts'
import type { PopupView } from '../overlays/popup.ts'
import { type Cursor, innerRect, type Rect, type Row, rows, type Scene, type SceneBox } from '../scene.ts'
import type { DashboardState } from '../state/dashboard-state.ts'
import { activeBindings, keyboardPane } from '../state/groups.ts'
import { shownChord } from '../state/naming.ts'
import { viewOnTop } from '../state/on-top.ts'
import { sameButTime } from '../state/same-but-time.ts'
import { findRow, itemsOf, selectedItem } from '../state/selection.ts'
import { currentLayout, stagedIds } from '../state/stage.ts'
import { whyNot } from '../state/why-not.ts'
import { viewTree } from '../tree/view-tree.ts'
import { lookOf } from './look-of.ts'
import { viewDetail } from './view-detail.ts'
import { viewFooter } from './view-footer.ts'
import { viewSlot } from './view-slot.ts'
import { viewToasts } from './view-toasts.ts'
import { viewWelcome, viewWorktreeStage } from './view-welcome.ts'

export function viewDashboard(state: DashboardState): Scene {
  const { size } = state
  if (isTooSmall(size)) return { size, boxes: [tooSmall(state)], cursor: null }
  const layout = currentLayout(state)
  const onTop = viewOnTop(state, lookOf(state, true))
  const boxes = [
    ...(layout.tree === null ? [] : [treeBox(state, layout.tree)]),
    ...(layout.detail === null ? [] : [detailBox(state, layout.detail)]),
    ...stageBoxes(state, layout.slots),
    footerBox(state, layout.footer),
    ...viewToasts(state),
    ...onTop.boxes,
  ]
  return { size, boxes, cursor: dashboardCursor(state, onTop) }
}

function tooSmall(state: DashboardState): SceneBox {
  const { columns, rows: height } = state.size
  const needs = `Agency needs ${LEAST_SIZE.columns}x${LEAST_SIZE.rows} cells; this terminal has ${columns}x${height}.`
  const leave = shownChord(state, 'anywhere.quit')
  const ways = `Make it larger${leave === undefined ? '' : `, or ${leave} to leave`}: agents go on.`
  const lines = [needs, span(ways, 'dim')].flatMap((line) => wrapLine(line, columns))
  return {
    key: 'too-small',
    rect: { x: 0, y: 0, width: columns, height },
    border: null,
    body: { kind: 'rows', rows: rows(...lines) },
  }
}

function treeBox(state: DashboardState, rect: Rect): SceneBox {
  const focused = state.stage.active === null
  const { width, height } = innerRect(rect)
  const body = viewTree(
    {
      items: itemsOf(state),
      selected: state.tree.selected,
      pinned: new Set(state.stage.pinned),
      tasks: new Map(
        state.tasks.flatMap(({ about, words }) =>
          about === null ? [] : [[about, words.split(' ')[0] ?? '']],
        ),
      ),
      width,
      height,
      top: state.tree.top,
    },
    lookOf(state, focused),
  )
  return {
    key: 'tree',
    rect,
    border: { title: 'Worktrees', note: treeNote(state), focused },
    body: { kind: 'rows', rows: body.length > 0 ? body : emptyTreeRows(state) },
  }
}

/** Says which rows it shows, and that more are being read. */
function treeNote({ tree: { filter, archived }, snapshot }: DashboardState): Line {
  const shown: Line = filter !== '' ? span(`/${filter}`, 'accent') : archived ? span('all', 'dim') : ''
  const { taken_at, archived_shown, archived_loading } = snapshot
  const reading = archived && (taken_at === null || !archived_shown || archived_loading)
  return reading ? [span('reading… ', 'dim'), shown] : shown
}

function emptyTreeRows({ snapshot, tree }: DashboardState): Row[] {
  if (snapshot.taken_at === null) return rows([' ', span('reading…', 'dim')])
  if (tree.filter !== '')
    return rows(
      [' ', span('nothing contains it', 'dim')],
      [' ', span('Esc', 'key'), span(' shows all', 'dim')],
    )
  return rows([' ', span('none yet: ', 'dim'), span('n', 'key'), span(' begins', 'dim')])
}

function detailBox(state: DashboardState, rect: Rect): SceneBox {
  const view = { item: selectedItem(state), snapshot: state.snapshot, width: innerRect(rect).width }
  return {
    key: 'detail',
    rect,
    border: { title: 'Detail', focused: false, joinsAbove: true },
    body: { kind: 'rows', rows: viewDetail(view, lookOf(state, false)) },
  }
}

function stageBoxes(state: DashboardState, slots: readonly Slot[]): SceneBox[] {
  const ids = stagedIds(state)
  const staged = slots.flatMap((slot, index) => {
    const row = findRow(state, ids[index] ?? '')
    return row === null ? [] : viewSlot(state, row, slot)
  })
  const [first] = slots
  if (staged.length > 0 || first === undefined) return staged
  const { title, shown } = unstaged(state, innerRect(first.rect).width)
  return [
    {
      key: 'stage',
      rect: first.rect,
      border: { title, focused: false },
      body: { kind: 'rows', rows: shown },
    },
  ]
}

/** What the stage shows while there is no agent on it. */
function unstaged(state: DashboardState, width: number): { title: string; shown: readonly Row[] } {
  const item = selectedItem(state)
  const { repository, snapshot } = state
  switch (item?.kind) {
    case 'worktree': {
      const look = lookOf(state, false)
      const shown = viewWorktreeStage(item.view, snapshot.invocations, { look, width })
      return { title: item.view.record.name, shown }
    }
    case 'broken':
      return { title: repository, shown: brokenRows(item.broken.reason) }
    case 'invocation':
    case 'heading':
    case undefined:
      return { title: repository, shown: viewWelcome(repository, snapshot, width) }
  }
}

const brokenRows = (reason: string): Row[] =>
  rows(
    '',
    [' ', span('Its record or its sandbox is not as it should be:', 'strong')],
    [' ', span(reason, 'failed')],
    '',
    [
      ' ',
      span('agency doctor', 'key'),
      span(' says more; ', 'dim'),
      span('agency doctor --fix', 'key'),
      span(' mends what can be mended.', 'dim'),
    ],
  )

function footerBox(state: DashboardState, rect: Rect): SceneBox {
  const line = state.hint === null ? footerLine(state, rect.width) : [' ', span(state.hint, 'needs_you')]
  return { key: 'footer', rect, border: null, body: { kind: 'rows', rows: [{ line }] } }
}

let lastFooter: { readonly state: DashboardState; readonly width: number; readonly line: Line } | null = null

/** Kept between ticks, because most of it is which keys apply, and no clock changes that. */
function footerLine(state: DashboardState, width: number): Line {
  const { tasks, snapshot } = state
  const isTimeless = tasks.length === 0 && snapshot.stale_since === null
  if (isTimeless && lastFooter?.width === width && sameButTime(lastFooter.state, state))
    return lastFooter.line
  const line = makeFooter(state, width)
  lastFooter = { state, width, line }
  return line
}

function makeFooter(state: DashboardState, width: number): Line {
  const look = lookOf(state, false)
  const { tasks, snapshot } = state
  const keys = (state.overlay === null ? activeBindings(state) : [])
    .filter((binding) => binding.footer && whyNot(state, binding.action) === null)
    .map(({ chords, label }) => ({ key: showChord(chords[0] ?? '', look), label }))
  const stale_since = snapshot.stale_since?.getTime() ?? null
  return viewFooter({ keys, tasks, counters: snapshot.counters, stale_since, width }, look)
}

/** In what lies on top, otherwise in the terminal that has the keyboard. */
function dashboardCursor(state: DashboardState, { cursor }: PopupView): Cursor {
  if (state.overlay !== null) return cursor === null ? null : { kind: 'at', point: cursor }

  const pane = keyboardPane(state)
  return pane === null || (state.panes[pane]?.scrolled ?? 0) > 0 ? null : { kind: 'pane', pane }
}
