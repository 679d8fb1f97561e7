// A sandbox's whole state at a moment, kept as a commit under `refs/agency/snapshots/<invocation_id>/<n>`.

import * as z from 'zod/mini'
import { objectIdSchema } from './ids.ts'

export const checkpointSchema = z.looseObject({
  id: z.number(),
  snapshot_ref: z.string(),
  snapshot_commit: objectIdSchema,
  head_sha: z.nullable(objectIdSchema),
  created_at: z.string(),
  includes_untracked: z.boolean(),
  /** Words, as in the seeds: `+42 -15 in 3 files`. */
  diffstat: z.string(),
})

/** `sandboxes/<invocation_id>/checkpoints.json`. */
export const checkpointsFileSchema = z.looseObject({ checkpoints: z.array(checkpointSchema) })

export type Checkpoint = z.infer<typeof checkpointSchema>
export type CheckpointsFile = z.infer<typeof checkpointsFileSchema>
