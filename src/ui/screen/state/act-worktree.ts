// Keys on a worktree.

import type { WorktreeView } from '../../../core/facade/agency.ts'
import { isClosed } from '../../../core/model/invocation.ts'
import { count } from '../../text/amounts.ts'
import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { also, type Command, type Step, stay } from './message.ts'
import { ask } from './on-top.ts'
import { currentWorktree } from './selection.ts'

type WorktreeAct = (state: DashboardState, view: WorktreeView) => Step

const onWorktree =
  (act: WorktreeAct) =>
  (state: DashboardState): Step => {
    const view = currentWorktree(state)
    return view === null ? stay(state) : act(state, view)
  }

export const WORKTREE_ACTS: Acts<`worktree.${'open' | 'shell' | 'archive' | 'copy_path'}`> = {
  'worktree.open': onWorktree((state, { record }) => also(state, { do: 'edit', path: record.tree_path })),
  'worktree.shell': onWorktree((state, { record }) => also(state, { do: 'shell', path: record.tree_path })),
  'worktree.copy_path': onWorktree((state, { record }) =>
    also(state, { do: 'copy', text: record.tree_path, what: 'its path' }),
  ),
  'worktree.archive': onWorktree(askArchive),
}

/** Agents that are not landed or discarded would go with it: that is asked first. */
function askArchive(state: DashboardState, { record }: WorktreeView): Step {
  const open = state.snapshot.invocations.filter(
    (row) => row.record.integration_worktree_id === record.worktree_id && !isClosed(row.record),
  )
  const remove = (force: boolean): Command => ({
    do: 'verb',
    verb: { verb: 'archive', id: record.worktree_id, force },
    words: `archiving ${record.name}`,
    about: record.worktree_id,
  })
  if (open.length === 0) return also(state, remove(false))
  return stay(
    ask(state, {
      title: `Archive ${record.name}?`,
      lines: [
        `${count(open.length, 'agent')} of it ${open.length === 1 ? 'is' : 'are'} neither landed nor discarded.`,
        'They are stopped and discarded; u brings all of it back.',
      ],
      ways: [{ key: 'y', label: 'archive it', commands: [remove(true)] }],
    }),
  )
}
