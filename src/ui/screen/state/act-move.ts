// Moves: in the tree by the rules here, in a log or diff with the keyboard by its own rules.

import type { Move } from '../keys/bindings.ts'
import { closeComparison } from '../timeline/act-on-timeline.ts'
import { type TreeItem, worktreeKey } from '../tree/tree-items.ts'
import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { actOnFace } from './faces.ts'
import { type Step, stay } from './message.ts'
import { findRow, moveSelection, select, selectedItem, treeHeight, withTree } from './selection.ts'
import { isComparing, usualFace } from './stage.ts'
import { withTimeline } from './timeline-face.ts'

export const MOVE_ACTS: Acts<`move.${Move | 'leave'}`> = {
  'move.leave': leaveFocus,
  'move.up': moveByFocus('up', (state) => moveSelection(state, -1)),
  'move.down': moveByFocus('down', (state) => moveSelection(state, 1)),
  'move.page_up': moveByFocus('page_up', (state) => moveSelection(state, -pageHeightOf(state))),
  'move.page_down': moveByFocus('page_down', (state) => moveSelection(state, pageHeightOf(state))),
  'move.first': moveByFocus('first', (state) => moveSelection(state, -Infinity)),
  'move.last': moveByFocus('last', (state) => moveSelection(state, Infinity)),
  'move.left': moveByFocus('left', foldOrParent),
  'move.right': moveByFocus('right', unfoldOrChild),
}

function moveByFocus(to: Move, inTree: (state: DashboardState) => DashboardState) {
  return (state: DashboardState): Step =>
    state.stage.active === null ? stay(inTree(state)) : actOnFace(state, `move.${to}`)
}

const pageHeightOf = (state: DashboardState): number => Math.max(1, Math.floor(treeHeight(state) / 2))

/**
 * Esc, step by step: from a comparison to its list; from a diff over a terminal or log to that; from there to the tree;
 * there it drops the filter.
 */
function leaveFocus(state: DashboardState): Step {
  const { active, faces } = state.stage
  if (active === null) {
    return stay(state.tree.filter === '' ? { ...state, toasts: [] } : withTree(state, { filter: '' }))
  }
  const row = findRow(state, active)
  const timeline = state.timelines[active]
  if (row !== null && timeline !== undefined && isComparing(state, row)) {
    return stay(withTimeline(state, active, closeComparison(timeline)))
  }
  const { [active]: face, ...others } = faces
  const back = row !== null && face !== undefined && face !== usualFace(row)
  return stay({ ...state, stage: { ...state.stage, active: null, faces: back ? others : faces } })
}

function foldOrParent(state: DashboardState): DashboardState {
  const item = selectedItem(state)
  switch (item?.kind) {
    case 'worktree':
      return setFolded(state, item, true)
    case 'invocation':
      return select(state, worktreeKey(item.row.record.integration_worktree_id))
    case 'heading':
    case 'broken':
    case undefined:
      return state
  }
}

function unfoldOrChild(state: DashboardState): DashboardState {
  const item = selectedItem(state)
  if (item?.kind !== 'worktree') return state
  return item.folded ? setFolded(state, item, false) : item.children > 0 ? moveSelection(state, 1) : state
}

export function setFolded(state: DashboardState, { key }: TreeItem, fold: boolean): DashboardState {
  const folded = new Set(state.tree.folded)
  if (fold) folded.add(key)
  else folded.delete(key)
  return withTree(state, { folded })
}
