// The message of a commit that keeps a sandbox's whole state: a line for people, then what its tree and parents cannot
// say, as JSON. Such a commit restores the sandbox by itself, without any record.

import * as z from 'zod/mini'
import { objectIdSchema } from './ids.ts'

export const keptStateSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  head: objectIdSchema,
  head_ref: z.nullable(z.string()),
  unborn: z.boolean(),
  index_tree: z.nullable(objectIdSchema),
  /** The sandbox's own branch and where it stood; null where the agent had deleted it. */
  branch: z.string(),
  branch_tip: z.nullable(objectIdSchema),
  incomplete: z.array(z.string()),
  /** Secrets and large files that a checkpoint left out. */
  excluded: z.optional(z.array(z.string())),
})

export type KeptState = z.infer<typeof keptStateSchema>

export const formatKeptState = (subject: string, state: KeptState): string =>
  `${subject}\n\n${JSON.stringify(keptStateSchema.parse(state), null, 2)}\n`

/** null where the message is none of ours. */
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
