// agency undo, redo, log and gc: the operation log, and what is kept for it. Rows only.

import type { CommandRow } from './command.ts'

const verbs = () => import('../verbs/history-verbs.ts')

export const HISTORY_COMMANDS: readonly CommandRow[] = [
  {
    path: ['undo'],
    summary: 'Take back the last land, discard, worktree rm or checkpoint apply',
    description:
      'Branches, directories, records and your own edits come back. Refused if something has moved since.',
    examples: [{ line: 'agency undo', says: 'again for the one before it' }],
    run: async (call) => (await verbs()).runUndo(call),
  },
  {
    path: ['redo'],
    summary: 'Do again what was last undone',
    examples: [{ line: 'agency redo', says: 'after agency undo' }],
    run: async (call) => (await verbs()).runRedo(call),
  },
  {
    path: ['log'],
    summary: 'List what was done here and can be undone',
    examples: [{ line: 'agency log', says: 'newest first' }],
    run: async (call) => (await verbs()).listOperations(call),
  },
  {
    path: ['gc'],
    summary: 'Drop what was kept for undo longer than keep_discarded',
    options: [{ flags: '--dry-run', summary: 'only say what would go' }],
    examples: [{ line: 'agency gc --dry-run', says: 'look first' }],
    run: async (call) => (await verbs()).runCollectGarbage(call),
  },
]
