// What agency worktree does: calls the facade and puts its answers into words.

import { runShell } from '../../person/child.ts'
import { openInEditor } from '../../person/editor.ts'
import { span } from '../../text/line.ts'
import { type Call, operand, type Result } from '../commands/command.ts'
import { worktreeData } from '../views/data.ts'
import { formatWorktree, formatWorktrees, nameAgents, viewNotes } from '../views/views.ts'
import { createNamed } from './create-named.ts'

export async function runCreateWorktree(call: Call): Promise<Result> {
  const worktree = await createNamed(call)
  if (call.flag('open')) await openPathInEditor(call, worktree.tree_path)
  return {
    data: { worktree },
    view: () => [
      [
        span('created ', 'ready'),
        span(worktree.name, 'strong'),
        ` on ${worktree.branch} from ${worktree.parent_branch}`,
      ],
      worktree.tree_path,
    ],
  }
}

export async function runListWorktrees(call: Call): Promise<Result> {
  const worktrees = await (await call.agency()).listWorktrees({ all: call.flag('all') })
  return {
    data: { worktrees: worktrees.map(worktreeData) },
    view: (page) => formatWorktrees(worktrees, page),
  }
}

export async function showWorktree(call: Call): Promise<Result> {
  const worktree = await (await call.agency()).showWorktree(operand(call))
  return { data: { worktree: worktreeData(worktree) }, view: (page) => formatWorktree(worktree, page) }
}

export async function printTreePath(call: Call): Promise<Result> {
  const path = await treePath(call)
  return { data: { path }, verbatim: `${path}\n` }
}

export const runOpenWorktree = async (call: Call): Promise<Result> =>
  openPathInEditor(call, await treePath(call))

export async function openShell(call: Call): Promise<Result> {
  const path = await treePath(call)
  const status = await runShell(call.console, path, call.json)
  return { data: { path, exit_code: status }, status, view: () => [] }
}

export async function runRemoveWorktree(call: Call): Promise<Result> {
  const removed = await (await call.agency()).removeWorktree(operand(call), {
    force: call.flag('force'),
    progress: (message) => call.say(span(message, 'dim')),
  })
  const { worktree, discarded, notes } = removed
  return {
    data: removed,
    view: () => [
      [
        span('archived ', 'landed'),
        span(worktree.name, 'strong'),
        discarded.length > 0 ? `, discarded ${nameAgents(discarded)}` : '',
      ],
      ...viewNotes(notes),
      span('agency undo brings it back', 'dim'),
    ],
  }
}

async function treePath(call: Call): Promise<string> {
  return (await (await call.agency()).showWorktree(operand(call))).record.tree_path
}

/** Also used by `agent open`. */
export async function openPathInEditor(call: Call, path: string): Promise<Result> {
  await openInEditor(call.console, { path, config: (await call.agency()).config, json: call.json })
  return { data: { path }, view: () => [] }
}
