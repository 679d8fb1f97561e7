// agency worktree: the branches and directories that people open, review and merge. Rows only: the code behind a row is
// loaded when it is run.

import type { ArgumentRow, CommandRow } from './command.ts'

const verbs = () => import('../verbs/worktree-verbs.ts')

const WORKTREE: ArgumentRow = { name: 'worktree', completes: 'worktree' }

export const WORKTREE_COMMANDS: readonly CommandRow[] = [
  {
    path: ['worktree', 'create'],
    summary: 'Make a branch and a directory of your own for agents to work towards',
    description: 'Starts no agent. Your own branch and work tree are not touched.',
    options: [
      { flags: '--name <name>', summary: '2 to 40 lowercase letters, digits and hyphens', required: true },
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
    run: async (call) => (await verbs()).runCreateWorktree(call),
  },
  {
    path: ['worktree', 'ls'],
    summary: 'List worktrees',
    options: [{ flags: '--all', summary: 'archived ones too' }],
    examples: [{ line: 'agency worktree ls', says: 'with how many agents work in each' }],
    run: async (call) => (await verbs()).runListWorktrees(call),
  },
  {
    path: ['worktree', 'show'],
    summary: 'Show all about one worktree',
    args: [WORKTREE],
    examples: [{ line: 'agency worktree show my-feature', says: 'by name, id or prefix' }],
    run: async (call) => (await verbs()).showWorktree(call),
  },
  {
    path: ['worktree', 'path'],
    summary: 'Print the path of a worktree and nothing else',
    args: [WORKTREE],
    examples: [{ line: 'cd "$(agency worktree path my-feature)"', says: 'go there' }],
    run: async (call) => (await verbs()).printTreePath(call),
  },
  {
    path: ['worktree', 'open'],
    summary: 'Open a worktree in your editor',
    args: [WORKTREE],
    examples: [
      { line: 'agency worktree open my-feature', says: 'editor in config.toml, else $VISUAL, else $EDITOR' },
    ],
    run: async (call) => (await verbs()).runOpenWorktree(call),
  },
  {
    path: ['worktree', 'shell'],
    summary: 'Start your shell in a worktree',
    description: 'Exits as the shell does.',
    args: [WORKTREE],
    examples: [{ line: 'agency worktree shell my-feature', says: '$SHELL, else sh' }],
    run: async (call) => (await verbs()).openShell(call),
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
    run: async (call) => (await verbs()).runRemoveWorktree(call),
  },
]
