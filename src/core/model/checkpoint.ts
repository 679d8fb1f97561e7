// A sandbox's whole state at a moment, kept as a commit under `refs/agency/snapshots/<invocation_id>/<n>`.

import * as z from 'zod/mini'
import { type InvocationId, objectIdSchema } from './ids.ts'
import { SNAPSHOT_REFS } from './refs.ts'

/** Why it was taken. `restore` is the one that a restore takes first, so that it can be undone. */
export const checkpointReasonSchema = z.enum(['quiet', 'interval', 'turn', 'exit', 'asked', 'restore'])
export type CheckpointReason = z.infer<typeof checkpointReasonSchema>

/** Beyond the seeds' fields: `parent`, `tree`, `reason`, `turn`, `name`, `excluded`, `incomplete`. */
export const checkpointSchema = z.looseObject({
  /** Counts from 1 in each invocation; never given twice. */
  id: z.number(),
  snapshot_ref: z.string(),
  snapshot_commit: objectIdSchema,
  /** The agent's HEAD at that moment; null where it had no commit. */
  head_sha: z.nullable(objectIdSchema),
  created_at: z.string(),
  includes_untracked: z.boolean(),
  /** Words, as in the seeds, against the one before (the first: against the base): `+42 -15 in 3 files`. */
  diffstat: z.string(),
  /** The checkpoint before; null for the first. */
  parent: z.nullable(z.number()),
  tree: objectIdSchema,
  reason: checkpointReasonSchema,
  /** Number of the runner's turn that had just ended, from 1; null where it was not taken for one. */
  turn: z.nullable(z.number()),
  /** The person's own name for it: such a one is never thinned out. */
  name: z.nullable(z.string()),
  /** Paths that were left out: secrets by the denylist, files over the limit. */
  excluded: z.array(z.string()),
  /** Paths that git cannot hold whole: nested repositories, sockets, unreadable files. */
  incomplete: z.array(z.string()),
})

/** `sandboxes/<invocation_id>/checkpoints.json`. */
export const checkpointsFileSchema = z.looseObject({
  checkpoints: z.array(checkpointSchema),
  /** The highest number ever given: also that of one that was thinned out. */
  last_id: z.optional(z.number()),
})

export type Checkpoint = z.infer<typeof checkpointSchema>
export type CheckpointsFile = z.infer<typeof checkpointsFileSchema>

/** Of all checkpoints of a sandbox. */
export interface CheckpointTally {
  readonly count: number
  /** When the last one was taken. RFC 3339. */
  readonly last_at: string
  /** Another one whenever the list has changed, if only by a name. */
  readonly stamp: string
}

export const snapshotRef = (id: InvocationId, checkpoint: number): string =>
  `${SNAPSHOT_REFS}${id}/${checkpoint}`
