// A sandbox that is being brought to another state, written down before anything of it is touched: whoever comes after a
// kill finishes it. At most one per repository, since only the holder of the lock writes it.

import { rmSync } from 'node:fs'
import * as z from 'zod/mini'
import { invocationIdSchema, objectIdSchema } from '../model/ids.ts'
import { processIdentitySchema } from '../model/invocation.ts'
import { operationSchema } from '../model/operation.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, writeRecord } from './record-file.ts'

export const restoreJournalSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  invocation_id: invocationIdSchema,
  /** Commits that keep the state that the sandbox is in, and the one that it comes to. */
  from: objectIdSchema,
  to: objectIdSchema,
  /** The line for the log. Its refs are those that move. */
  operation: operationSchema,
  /** Raw paths of files that the next state ignores or leaves out: they stay as they are. */
  left: z.array(z.string()),
  /** Raw paths of what stands where the next state has something, and is in no commit. */
  in_the_way: z.array(z.string()),
  /** The operation whose files that were set aside come back; null for none. */
  bring_back: z.nullable(z.string()),
  /** Processes of git that may outlive us and still be writing. */
  writers: z.array(processIdentitySchema),
})
export type RestoreJournal = z.infer<typeof restoreJournalSchema>

export const readRestoreJournal = (paths: RepoPaths): RestoreJournal | null =>
  readRecord(paths.restoring, restoreJournalSchema)

export const writeRestoreJournal = (paths: RepoPaths, journal: RestoreJournal): Promise<void> =>
  writeRecord(paths.restoring, restoreJournalSchema, journal)

export const removeRestoreJournal = (paths: RepoPaths): void => rmSync(paths.restoring, { force: true })
