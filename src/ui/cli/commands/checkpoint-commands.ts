// agency checkpoint: the states that an agent's sandbox was in. Rows only.

import { INVOCATION } from './agent-commands.ts'
import type { ArgumentRow, CommandRow, OptionRow } from './command.ts'

const verbs = () => import('../verbs/checkpoint-verbs.ts')

/** Optional, because --invocation can be used instead. */
const OF: ArgumentRow = { ...INVOCATION, optional: true }
const NUMBER: ArgumentRow = { name: 'n', completes: 'checkpoint', optional: true }
const BY_OPTION: OptionRow = {
  flags: '--invocation <id>',
  summary: 'the same as ID',
  completes: 'invocation',
}

export const CHECKPOINT_COMMANDS: readonly CommandRow[] = [
  {
    path: ['checkpoint', 'ls'],
    summary: "List the checkpoints of an agent's sandbox",
    description:
      'Each is the whole state of a moment: commits, staged, uncommitted and untracked files. Ignored files, and those\nthat may hold secrets, are in none of them.',
    args: [OF],
    options: [BY_OPTION],
    examples: [{ line: 'agency checkpoint ls b7c9', says: 'oldest first' }],
    run: async (call) => (await verbs()).listCheckpoints(call),
  },
  {
    path: ['checkpoint', 'show'],
    summary: 'Show one checkpoint; without N the newest',
    args: [OF, NUMBER],
    options: [
      BY_OPTION,
      { flags: '--diff', summary: 'and what changed since the one before it' },
      {
        flags: '--against <what>',
        summary: 'what to compare it with: before, base (where the agent began) or now',
        completes: ['before', 'base', 'now'],
      },
    ],
    examples: [
      { line: 'agency checkpoint show b7c9 3 --diff', says: 'the step that led to it' },
      { line: 'agency checkpoint show b7c9@3 --against now', says: 'what was done since' },
    ],
    run: async (call) => (await verbs()).showCheckpoint(call),
  },
  {
    path: ['checkpoint', 'create'],
    summary: 'Take a checkpoint now, also while the agent works',
    args: [OF],
    options: [
      BY_OPTION,
      { flags: '--name <name>', summary: 'what to call it; one with a name is always kept' },
    ],
    examples: [{ line: "agency checkpoint create b7c9 --name 'before the rewrite'", says: 'and keep it' }],
    run: async (call) => (await verbs()).runCreateCheckpoint(call),
  },
  {
    path: ['checkpoint', 'apply'],
    summary: "Bring an agent's sandbox back to a checkpoint, exactly",
    description:
      'Files, index, branch and HEAD become what they were; ignored files stay as they are. A checkpoint of what is there\nnow is taken first, and agency undo goes back to it. The agent must have ended.',
    args: [OF, NUMBER],
    options: [BY_OPTION],
    examples: [{ line: 'agency checkpoint apply b7c9 3', says: 'agency undo takes it back' }],
    run: async (call) => (await verbs()).applyCheckpoint(call),
  },
  {
    path: ['checkpoint', 'export'],
    summary: 'Write the files of a checkpoint into a directory that is new or empty',
    args: [OF, NUMBER],
    options: [
      BY_OPTION,
      { flags: '--to <dir>', summary: 'the directory', required: true, completes: 'directory' },
    ],
    examples: [
      { line: 'agency checkpoint export b7c9 3 --to /tmp/b7c9-3', says: 'plain files, without git' },
    ],
    run: async (call) => (await verbs()).runExportCheckpoint(call),
  },
  {
    path: ['checkpoint', 'rename'],
    summary: 'Name a checkpoint; without NAME its name goes',
    args: [OF, NUMBER, { name: 'name', completes: 'nothing', optional: true }],
    options: [BY_OPTION],
    examples: [
      { line: "agency checkpoint rename b7c9 3 'tests pass'", says: 'one with a name is always kept' },
    ],
    run: async (call) => (await verbs()).renameCheckpoint(call),
  },
]
