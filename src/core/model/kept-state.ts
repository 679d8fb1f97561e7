// The message of a commit that keeps a sandbox's whole state: a line for people, then, as JSON, what its tree and
// parents cannot say. Such a commit is enough to restore the sandbox, without any record.

import * as z from 'zod/mini'
import { objectIdSchema } from './ids.ts'

export const keptStateSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  head: objectIdSchema,
  head_ref: z.nullable(z.string()),
  unborn: z.boolean(),
  index_tree: z.nullable(objectIdSchema),
  /** The sandbox's own branch and where it was; null if the agent had deleted it. */
  branch: z.string(),
  branch_tip: z.nullable(objectIdSchema),
  incomplete: z.array(z.string()),
  /** Secrets and large files that a checkpoint has left out. */
  excluded: z.optional(z.array(z.string())),
  /** Bytes and modes that the tree would not bring back (verbatim.ts). One more parent of the commit has it as tree. */
  verbatim_tree: z.optional(objectIdSchema),
})

export type KeptState = z.infer<typeof keptStateSchema>

export const formatKeptState = (subject: string, state: KeptState): string =>
  `${subject}\n\n${JSON.stringify(keptStateSchema.parse(state), null, 2)}\n`

/** null for a message that is not one of these. */
export function parseKeptState(message: string): KeptState | null {
  const start = message.indexOf('\n\n')
  if (start < 0) return null
  try {
    const parsed = keptStateSchema.safeParse(JSON.parse(message.slice(start)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
