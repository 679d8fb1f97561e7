// agency agent diff, land and discard: what becomes of an agent's work. Rows only.

import { INVOCATION } from './agent-commands.ts'
import type { CommandRow } from './command.ts'

const verbs = () => import('../verbs/landing-verbs.ts')

export const LANDING_COMMANDS: readonly CommandRow[] = [
  {
    path: ['agent', 'diff'],
    summary: 'Show the whole work of an agent: commits, uncommitted and untracked files',
    args: [INVOCATION],
    options: [
      { flags: '--stat', summary: 'commits and files only' },
      { flags: '--patch', summary: 'the patch only; into a pipe or file as git made it' },
    ],
    examples: [
      { line: 'agency agent diff b7c9', says: 'all of it' },
      { line: 'agency agent diff b7c9 --patch | git apply --check', says: 'as a patch' },
    ],
    run: async (call) => (await verbs()).diffAgent(call),
  },
  {
    path: ['agent', 'land'],
    summary: "Put an agent's work onto the branch of its worktree",
    description:
      'All of it or nothing. A conflict changes nothing and exits 5. Afterwards the sandbox goes; agency undo brings\nboth back as they were.',
    args: [INVOCATION],
    options: [
      { flags: '--apply', summary: 'land uncommitted and untracked files too, as one commit on top' },
      { flags: '--commits-only', summary: 'land the commits; the rest is kept for undo' },
      { flags: '--require-base', summary: 'refuse if the worktree has moved on since the agent began' },
    ],
    examples: [
      { line: 'agency agent land b7c9', says: 'its commits' },
      { line: 'agency agent land b7c9 --apply', says: 'and what it left uncommitted' },
    ],
    run: async (call) => (await verbs()).landAgent(call),
  },
  {
    path: ['agent', 'discard'],
    summary: "Drop an agent's work and its sandbox",
    description:
      'A running agent is stopped first. The work is kept for undo, 14 days by default (keep_discarded).',
    args: [INVOCATION],
    examples: [{ line: 'agency agent discard b7c9', says: 'agency undo brings it back' }],
    run: async (call) => (await verbs()).discardAgent(call),
  },
]
