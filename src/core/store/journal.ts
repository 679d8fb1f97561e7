// What is being done to an integration tree, written before it is done: whoever comes after a kill can finish it or take
// it back. At most one per repository, since only the holder of the lock writes it.

import { rmSync } from 'node:fs'
import * as z from 'zod/mini'
import { objectIdSchema, worktreeIdSchema } from '../model/ids.ts'
import { processIdentitySchema } from '../model/invocation.ts'
import { operationSchema } from '../model/operation.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, writeRecord } from './record-file.ts'

/** The verb's records, which follow the branch: complete-operation.ts. */
export const completionSchema = z.looseObject({
  operation: operationSchema,
  /** What the operation's invocations become. */
  landing_status: z.nullable(z.enum(['pending', 'landed', 'discarded'])),
  /** When git held the whole sandboxes, in milliseconds since the epoch; null: their files stay in the trash. */
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
  /** In the index lock too: proves that lock ours. */
  token: z.string(),
  /** Milliseconds since the epoch by the machine's clock, which is the file system's. */
  begun_at: z.number(),
  /** Processes of git that may outlive us and still be writing. */
  writers: z.array(processIdentitySchema),
  /** Changed paths, raw, that the person had deleted before we began. */
  missing: z.array(z.string()),
  completion: z.nullable(completionSchema),
})
export type Journal = z.infer<typeof journalSchema>

export const readJournal = (paths: RepoPaths): Journal | null => readRecord(paths.journal, journalSchema)

export const writeJournal = (paths: RepoPaths, journal: Journal): Promise<void> =>
  writeRecord(paths.journal, journalSchema, journal)

export const removeJournal = (paths: RepoPaths): void => rmSync(paths.journal, { force: true })
