// What is about to be done to an integration tree, written down first, so that after a kill the next command can finish
// it or take it back. There is at most one for each tree, since only the holder of the lock writes it, and no other tree
// waits for it. publish-branch.ts goes through these states from left to right; after a kill, recover-journal.ts goes on from the one
// that it finds:
//
//   nothing ───► a journal, the branch   ───► a journal, the branch    ───► nothing
//      ▲         still at `from`:             at `to`: the index, the          ▲
//      │         the tree is written          records and the log follow       │
//      │               │ killed                      │ killed                  │
//      └─ rolled back ─┘                             └──── rolled forward ─────┘
//         (the tree as it was)                             (all that follows)

import * as z from 'zod/mini'
import { objectIdSchema, worktreeIdSchema } from '../model/ids.ts'
import { processIdentitySchema } from '../model/invocation.ts'
import { operationSchema } from '../model/operation.ts'
import { journalPath, removeJournalFile, stuckSchema, writeJournalFile } from './interrupted.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, requireDerived } from './record-file.ts'

/** What the verb still has to do once the branch has moved; see complete-operation.ts. */
export const completionSchema = z.looseObject({
  operation: operationSchema,
  /** What the operation's invocations become. */
  landing_status: z.nullable(z.enum(['pending', 'landed', 'discarded'])),
  /**
   * When git held everything in the sandboxes, in milliseconds since the epoch; null: their files stay in the trash.
   */
  whole_at: z.nullable(z.number()),
})
export type Completion = z.infer<typeof completionSchema>

export const journalSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  worktree_id: worktreeIdSchema,
  from: objectIdSchema,
  to: objectIdSchema,
  /** For the reflog. */
  reason: z.string(),
  /** The index lock holds the same token, which proves that lock ours. */
  token: z.string(),
  /** Milliseconds since the epoch, by the machine's clock, which file times follow too. */
  begun_at: z.number(),
  /** git processes that may outlive us and go on writing. */
  writers: z.array(processIdentitySchema),
  /** Raw paths of changed files that the person had deleted before we began. */
  missing: z.array(z.string()),
  completion: z.nullable(completionSchema),
  ...stuckSchema,
})
export type Journal = z.infer<typeof journalSchema>

/** null where nothing is being written into that worktree. Throws E_RECORD_UNREADABLE. */
export function readJournal(paths: RepoPaths, worktreeId: string): Journal | null {
  const path = journalPath(paths, 'landing', worktreeId)
  const journal = readRecord(path, journalSchema)
  if (journal === null) return null
  requireDerived(path, [{ field: 'worktree_id', found: journal.worktree_id, derived: worktreeId }])
  return journal
}

export const writeJournal = (paths: RepoPaths, journal: Journal): Promise<void> =>
  writeJournalFile(journalPath(paths, 'landing', journal.worktree_id), journalSchema, journal)

export const removeJournal = (paths: RepoPaths, worktreeId: string): void =>
  removeJournalFile(journalPath(paths, 'landing', worktreeId))
