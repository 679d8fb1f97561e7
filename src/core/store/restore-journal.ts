// A restore of a sandbox, written down before anything is touched, so that after a kill the next command can finish it.
// There is at most one for each sandbox, since only the holder of the lock writes it, and no other sandbox waits for it.

import * as z from 'zod/mini'
import { invocationIdSchema, objectIdSchema } from '../model/ids.ts'
import { processIdentitySchema } from '../model/invocation.ts'
import { operationSchema } from '../model/operation.ts'
import { journalPath, removeJournalFile, stuckSchema, writeJournalFile } from './interrupted.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, requireDerived } from './record-file.ts'

export const restoreJournalSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  invocation_id: invocationIdSchema,
  /** Commits that keep the state that the sandbox is in (`from`), and the one that it is to have (`to`). */
  from: objectIdSchema,
  to: objectIdSchema,
  /** The line for the log. Its refs are those that will move. */
  operation: operationSchema,
  /** Raw paths of files that stay as they are, because the next state ignores them or leaves them out. */
  left: z.array(z.string()),
  /** Raw paths of files that no commit has and that stand where the next state has something. */
  in_the_way: z.array(z.string()),
  /** The operation whose set-aside files come back; null for none. */
  bring_back: z.nullable(z.string()),
  /** git processes that may outlive us and go on writing. */
  writers: z.array(processIdentitySchema),
  ...stuckSchema,
})
export type RestoreJournal = z.infer<typeof restoreJournalSchema>

/** null where that sandbox is not being restored. Throws E_RECORD_UNREADABLE. */
export function readRestoreJournal(paths: RepoPaths, invocationId: string): RestoreJournal | null {
  const path = journalPath(paths, 'restore', invocationId)
  const journal = readRecord(path, restoreJournalSchema)
  if (journal === null) return null
  requireDerived(path, [{ field: 'invocation_id', found: journal.invocation_id, derived: invocationId }])
  return journal
}

export const writeRestoreJournal = (paths: RepoPaths, journal: RestoreJournal): Promise<void> =>
  writeJournalFile(journalPath(paths, 'restore', journal.invocation_id), restoreJournalSchema, journal)

export const removeRestoreJournal = (paths: RepoPaths, invocationId: string): void =>
  removeJournalFile(journalPath(paths, 'restore', invocationId))
