// The mouse: a click selects or gives the keyboard, the wheel scrolls what is under it, a drag over a terminal selects
// text to copy. A program that has asked for the mouse gets it while it has the keyboard.

import type { MouseAction } from '../input/input-event.ts'
import type { Point, Rect } from '../scene.ts'
import { innerRect } from '../scene.ts'
import { firstShown } from '../tree/view-tree.ts'
import type { DashboardState } from './dashboard-state.ts'
import { pointFace } from './faces.ts'
import { also, type Step, stay } from './message.ts'
import { findRow, itemsOf, select, totalLines, treeHeight, withTree } from './selection.ts'
import { currentLayout, faceOf, stagedIds } from './stage.ts'

const WHEEL_LINES = 3

export function point(state: DashboardState, event: MouseAction): Step {
  const { tree, slots } = currentLayout(state)
  if (state.drag !== null && event.action !== 'press') return dragOn(state, event)
  if (tree !== null && contains(tree, event)) return stay(pointTree(state, event, innerRect(tree)))
  const index = slots.findIndex(({ rect }) => contains(rect, event))
  const id = stagedIds(state)[index]
  const slot = slots[index]
  if (id === undefined || slot === undefined) return stay(state)
  return pointSlot(state, event, { id, rect: slot.rect })
}

const contains = (rect: Rect, { x, y }: Point): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height

const wheelOf = ({ action }: MouseAction): -1 | 0 | 1 =>
  action === 'wheel_up' ? -1 : action === 'wheel_down' ? 1 : 0

function pointTree(state: DashboardState, event: MouseAction, inner: Rect): DashboardState {
  const wheel = wheelOf(event)
  if (wheel !== 0) {
    const most = Math.max(0, totalLines(itemsOf(state)) - treeHeight(state))
    return withTree(state, { top: Math.max(0, Math.min(most, state.tree.top + wheel * WHEEL_LINES)) })
  }
  if (event.action !== 'press' || event.button !== 'left') return state
  const items = itemsOf(state)
  const item = items[firstShown(items, state.tree.top + event.y - inner.y)]
  if (item === undefined || item.kind === 'heading' || event.y < inner.y) return state
  return select({ ...state, stage: { ...state.stage, active: null } }, item.key)
}

interface SlotPlace {
  readonly id: string
  readonly rect: Rect
}

function pointSlot(state: DashboardState, event: MouseAction, { id, rect }: SlotPlace): Step {
  const row = findRow(state, id)
  if (row === null) return stay(state)
  const active: DashboardState =
    event.action === 'press' && event.button === 'left'
      ? { ...state, stage: { ...state.stage, active: id } }
      : state
  if (faceOf(state, row) !== 'terminal') return pointFace(active, event, { id, rect })
  return pointTerminal(state, active, { event, id, inner: innerRect(rect) })
}

interface TerminalPlace {
  readonly event: MouseAction
  readonly id: string
  readonly inner: Rect
}

function pointTerminal(before: DashboardState, active: DashboardState, place: TerminalPlace): Step {
  const { event, id, inner } = place
  const pane = before.panes[id]
  if (before.stage.active === id && pane?.mouse === true && pane.state === 'live' && contains(inner, event)) {
    return also(before, { do: 'type', pane: id, event })
  }
  const wheel = wheelOf(event)
  if (wheel !== 0) {
    if (pane?.alternate_screen === true) return also(before, { do: 'wheel', pane: id, event })
    return also(before, { do: 'scroll', pane: id, lines: -wheel * WHEEL_LINES })
  }
  if (event.action !== 'press' || event.button !== 'left') return stay(before)
  const from = within(event, inner)
  return also({ ...active, drag: { pane: id, from, inner } }, { do: 'select', pane: id, range: null })
}

const within = ({ x, y }: Point, inner: Rect): Point => ({
  x: Math.max(0, Math.min(inner.width - 1, x - inner.x)),
  y: Math.max(0, Math.min(inner.height - 1, y - inner.y)),
})

function dragOn(state: DashboardState, event: MouseAction): Step {
  const { drag } = state
  if (drag === null) return stay(state)
  const to = within(event, drag.inner)
  const moved = to.x !== drag.from.x || to.y !== drag.from.y
  if (event.action === 'release') {
    return also(
      { ...state, drag: null },
      ...(moved ? [{ do: 'copy_selection', pane: drag.pane } as const] : []),
    )
  }
  return moved ? also(state, { do: 'select', pane: drag.pane, range: { from: drag.from, to } }) : stay(state)
}
