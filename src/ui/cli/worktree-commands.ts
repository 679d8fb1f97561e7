// agency worktree: the branches and directories that people open, review and merge.

import { span } from '../text/line.ts'
import type { ArgumentRow, Call, CommandRow, Result } from './command.ts'
import { operand } from './command.ts'
import { listAgents, viewNotes, viewWorktree, viewWorktrees } from './views.ts'

const WORKTREE: ArgumentRow = { name: 'worktree', completes: 'worktree' }

export const WORKTREE_COMMANDS: readonly CommandRow[] = [
  {
    path: ['worktree', 'create'],
    summary: 'Make a branch and a directory of your own for agents to work towards',
    description: 'Starts no agent. Your own branch and work tree are not touched.',
    options: [
      { flags: '--name <name>', summary: '2 to 40 lowercase letters, digits and hyphens' },
      { flags: '--parent <branch>', summary: 'branch to start from (default: the one you are on)' },
      { flags: '--open', summary: 'open it in your editor afterwards' },
    ],
    examples: [
      { line: 'agency worktree create --name my-feature', says: 'from the branch you are on' },
      {
        line: 'agency worktree create --name hotfix --parent release-2 --open',
        says: 'from another, and open it',
      },
    ],
    run: createWorktree,
  },
  {
    path: ['worktree', 'ls'],
    summary: 'List worktrees',
    options: [{ flags: '--all', summary: 'archived ones too' }],
    examples: [{ line: 'agency worktree ls', says: 'with how many agents work in each' }],
    run: async (call) => {
      const worktrees = await (await call.agency()).listWorktrees({ all: call.flag('all') })
      return { data: { worktrees }, view: (page) => viewWorktrees(worktrees, page) }
    },
  },
  {
    path: ['worktree', 'show'],
    summary: 'Show all about one worktree',
    args: [WORKTREE],
    examples: [{ line: 'agency worktree show my-feature', says: 'by name, id or prefix' }],
    run: async (call) => {
      const worktree = await (await call.agency()).showWorktree(operand(call))
      return { data: { worktree }, view: (page) => viewWorktree(worktree, page) }
    },
  },
  {
    path: ['worktree', 'path'],
    summary: 'Print the path of a worktree and nothing else',
    args: [WORKTREE],
    examples: [{ line: 'cd "$(agency worktree path my-feature)"', says: 'go there' }],
    run: async (call) => {
      const path = await treePath(call)
      return { data: { path }, verbatim: `${path}\n` }
    },
  },
  {
    path: ['worktree', 'open'],
    summary: 'Open a worktree in your editor',
    args: [WORKTREE],
    examples: [
      { line: 'agency worktree open my-feature', says: 'editor in config.toml, else $VISUAL, else $EDITOR' },
    ],
    run: async (call) => openPath(call, await treePath(call)),
  },
  {
    path: ['worktree', 'shell'],
    summary: 'Start your shell in a worktree',
    description: 'Exits as the shell does.',
    args: [WORKTREE],
    examples: [{ line: 'agency worktree shell my-feature', says: '$SHELL, else sh' }],
    run: async (call) => {
      const path = await treePath(call)
      const { runShell } = await import('./child.ts')
      const status = await runShell(call.console, path, call.json)
      return { data: { path, exit_code: status }, status, view: () => [] }
    },
  },
  {
    path: ['worktree', 'rm'],
    summary: 'Archive a worktree: its directory goes, its record stays',
    description: 'Refused while agents work in it. agency undo brings it back whole.',
    args: [WORKTREE],
    options: [
      { flags: '--force', summary: 'stop and discard its agents first; your own edits are kept for undo' },
    ],
    examples: [
      { line: 'agency worktree rm my-feature', says: 'when all is merged' },
      { line: 'agency worktree rm my-feature --force', says: 'whatever goes on in it' },
    ],
    run: removeWorktree,
  },
]

async function createWorktree(call: Call): Promise<Result> {
  const { createNamed } = await import('./create-worktree.ts')
  const worktree = await createNamed(call)
  if (call.flag('open')) await openPath(call, worktree.tree_path)
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

async function removeWorktree(call: Call): Promise<Result> {
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
        discarded.length > 0 ? `, discarded ${listAgents(discarded)}` : '',
      ],
      ...viewNotes(notes),
      span('agency undo brings it back', 'dim'),
    ],
  }
}

async function treePath(call: Call): Promise<string> {
  return (await (await call.agency()).showWorktree(operand(call))).record.tree_path
}

/** Serves `agent open` too. */
export async function openPath(call: Call, path: string): Promise<Result> {
  const { openInEditor } = await import('./editor.ts')
  await openInEditor(call.console, { path, config: (await call.agency()).config, json: call.json })
  return { data: { path }, view: () => [] }
}
