// What is selected in the tree, and moving there.

import type { WorktreeView } from '../../../core/facade/agency.ts'
import { layOut } from '../layout.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import { invocationKey, type TreeItem, treeItems, worktreeKey } from '../tree/tree-items.ts'
import type { DashboardState, TreeState } from './dashboard-state.ts'

export const itemsOf = (state: DashboardState): readonly TreeItem[] => treeItems(state.snapshot, state.tree)

export function selectedItem(state: DashboardState): TreeItem | null {
  return itemsOf(state).find((item) => item.key === state.tree.selected) ?? null
}

export function selectedRow(state: DashboardState): ObservedInvocation | null {
  const item = selectedItem(state)
  return item?.kind === 'invocation' ? item.row : null
}

/** The invocation that keys act on: the one with the keyboard on the stage, else the selected one. */
export function currentRow(state: DashboardState): ObservedInvocation | null {
  return state.stage.active === null ? selectedRow(state) : findRow(state, state.stage.active)
}

/** The selected worktree, or the one of the selected invocation. */
export function currentWorktree(state: DashboardState): WorktreeView | null {
  const item = selectedItem(state)
  if (item === null) return null
  switch (item.kind) {
    case 'worktree':
      return item.view
    case 'invocation':
      return findWorktreeView(state, item.row.record.integration_worktree_id)
    case 'heading':
    case 'broken':
      return null
  }
}

export const findWorktreeView = (state: DashboardState, id: string): WorktreeView | null =>
  state.snapshot.worktrees.find(({ record }) => record.worktree_id === id) ?? null

export const findRow = (state: DashboardState, id: string): ObservedInvocation | null =>
  state.snapshot.invocations.find(({ record }) => record.invocation_id === id) ?? null

/** Headings are passed over. Stays where there is nothing further. */
export function moveSelection(state: DashboardState, by: number): DashboardState {
  const items = itemsOf(state).filter(({ kind }) => kind !== 'heading')
  if (items.length === 0) return state
  const at = items.findIndex(({ key }) => key === state.tree.selected)
  const to = at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))
  const item = items[to]
  return item === undefined ? state : select(state, item.key)
}

export function select(state: DashboardState, key: string): DashboardState {
  return scrolledToSelection({ ...state, tree: { ...state.tree, selected: key } })
}

/** Selects an invocation also where its worktree is folded or a filter hides it. */
export function reveal(state: DashboardState, id: string): DashboardState {
  const key = invocationKey(id)
  if (itemsOf(state).some((item) => item.key === key)) return select(state, key)
  const row = findRow(state, id)
  if (row === null) return state
  const folded = new Set(state.tree.folded)
  folded.delete(worktreeKey(row.record.integration_worktree_id))
  return select({ ...state, tree: { ...state.tree, folded, filter: '' } }, key)
}

/** The same selection in a list that has changed: what took its place, where it is gone. What was never there may come. */
export function keepSelection(before: DashboardState, after: DashboardState): DashboardState {
  const items = itemsOf(after)
  if (items.some(({ key }) => key === after.tree.selected)) return scrolledToSelection(after)
  const was = itemsOf(before)
  const at = was.findIndex(({ key }) => key === before.tree.selected)
  if (at < 0 && before.tree.selected !== null) return after
  const there = new Set(items.map(({ key }) => key))
  const near = [...was.slice(at + 1), ...was.slice(0, Math.max(0, at)).reverse()]
  const next = near.find(({ key, kind }) => kind !== 'heading' && there.has(key)) ?? items[0]
  return scrolledToSelection({ ...after, tree: { ...after.tree, selected: next?.key ?? null } })
}

export function scrolledToSelection(state: DashboardState): DashboardState {
  const item = selectedItem(state)
  const height = treeHeight(state)
  const lines = totalLines(itemsOf(state))
  const least = item === null ? 0 : item.at + item.lines - height
  const most = item === null ? 0 : item.at
  const top = Math.max(0, Math.min(Math.max(state.tree.top, least), most, Math.max(0, lines - height)))
  return top === state.tree.top ? state : withTree(state, { top })
}

export function totalLines(items: readonly TreeItem[]): number {
  const last = items.at(-1)
  return last === undefined ? 0 : last.at + last.lines
}

export const treeHeight = (state: DashboardState): number =>
  Math.max(1, (layOut(state.size, { count: 1, zoomed: false }).tree?.height ?? 3) - 2)

export const withTree = (state: DashboardState, tree: Partial<TreeState>): DashboardState => ({
  ...state,
  tree: { ...state.tree, ...tree },
})
