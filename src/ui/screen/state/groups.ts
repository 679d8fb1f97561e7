// Which groups of keys apply where the keyboard is, and what a chord means there.

import { type InvocationRecord, isActive } from '../../../core/model/invocation.ts'
import type { Action, Binding, BindingGroup } from '../keys/bindings.ts'
import type { TreeItem } from '../tree/tree-items.ts'
import type { DashboardState, PaneFacts } from './dashboard-state.ts'
import { currentRow, selectedItem } from './selection.ts'
import { faceOf, isComparing } from './stage.ts'

/** The agent whose terminal gets the keys; null if they are for the dashboard. */
export function keyboardPane(state: DashboardState): string | null {
  const { active } = state.stage
  const row = currentRow(state)
  if (active === null || row === null || faceOf(state, row) !== 'terminal') return null
  return takesKeys(row.record, state.panes[active]?.state) ? active : null
}

/**
 * True even for a terminal that is about to be joined: somebody who sees it coming goes on typing, and means the agent.
 */
function takesKeys(record: InvocationRecord, pane: PaneFacts['state'] | undefined): boolean {
  if (pane === 'live') return true
  return isActive(record) && (pane === undefined || pane === 'joining')
}

/** The action of the nearest group that has this chord. */
export function boundAction(
  state: DashboardState,
  chord: string,
  groups: readonly BindingGroup[],
): Action | null {
  const actions = actionsOf(state.bindings)
  for (const group of groups) {
    const action = actions.get(group)?.get(chord)
    if (action !== undefined) return action
  }
  return null
}

type Actions = ReadonlyMap<BindingGroup, ReadonlyMap<string, Action>>

/** Remembered, because each key needs them and they never change. */
const knownActions = new WeakMap<readonly Binding[], Actions>()

function actionsOf(bindings: readonly Binding[]): Actions {
  const before = knownActions.get(bindings)
  if (before !== undefined) return before
  const actions = new Map<BindingGroup, Map<string, Action>>()
  for (const { group, chords, action } of bindings) {
    const inGroup = actions.get(group) ?? new Map<string, Action>()
    actions.set(group, inGroup)
    for (const chord of chords) if (!inGroup.has(chord)) inGroup.set(chord, action)
  }
  knownActions.set(bindings, actions)
  return actions
}

/** Nearest first. */
export function groupsOf(state: DashboardState): BindingGroup[] {
  const always: BindingGroup[] = ['move', 'new', 'anywhere']
  const row = currentRow(state)
  if (state.stage.active !== null && row !== null) {
    const face = faceOf(state, row)
    if (keyboardPane(state) !== null) return ['pane']
    if (isComparing(state, row)) return ['compare', 'diff', 'checkpoints', 'invocation', ...always]
    return [face === 'terminal' ? 'pane' : face, 'invocation', ...always]
  }
  return [...groupsOfItem(selectedItem(state)), ...always]
}

function groupsOfItem(item: TreeItem | null): BindingGroup[] {
  switch (item?.kind) {
    case 'invocation':
    case 'worktree':
      return [item.kind]
    case 'heading':
    case 'broken':
    case undefined:
      return []
  }
}

/** In lists, keys of a pane, log or diff come before those that apply everywhere. */
const FACE_GROUPS = new Set<BindingGroup>(['pane', 'log', 'diff', 'checkpoints', 'compare'])

/** The bindings that apply now, in the order of the table, without those that a nearer group hides. */
export function activeBindings(state: DashboardState): Binding[] {
  const groups = groupsOf(state)
  const active = state.bindings.filter(
    (binding) =>
      groups.includes(binding.group) &&
      binding.chords.some((chord) => boundAction(state, chord, groups) === binding.action),
  )
  const isNear = ({ group }: Binding): boolean => FACE_GROUPS.has(group)
  return [...active.filter(isNear), ...active.filter((binding) => !isNear(binding))]
}
