// The invocations whose rows are on the screen: git works for these only.

import type { InvocationId } from '../../../core/model/ids.ts'
import type { DashboardState } from '../state/dashboard-state.ts'
import { findRow, itemsOf, treeHeight } from '../state/selection.ts'
import { stagedIds } from '../state/stage.ts'
import { firstShown } from '../tree/view-tree.ts'

export function visibleIds(state: DashboardState): InvocationId[] {
  if (!state.looked_at) return []
  const items = itemsOf(state)
  const ids = new Set<InvocationId>()
  for (let index = firstShown(items, state.tree.top); index < items.length; index += 1) {
    const item = items[index]
    if (item === undefined || item.at >= state.tree.top + treeHeight(state)) break
    if (item.kind === 'invocation') ids.add(item.row.record.invocation_id)
  }
  for (const id of stagedIds(state)) {
    const row = findRow(state, id)
    if (row !== null) ids.add(row.record.invocation_id)
  }
  return [...ids]
}
