// A checkpoint: a sandbox's whole state at a moment, kept as a commit under
// `refs/agency/snapshots/<invocation_id>/<n>`.

import * as z from 'zod/mini'
import { type InvocationId, objectIdSchema } from './ids.ts'
import { SNAPSHOT_REFS } from './refs.ts'

/** Why it was taken. A restore takes one first (`restore`), so that it can be undone. */
export const checkpointReasonSchema = z.enum(['quiet', 'interval', 'turn', 'exit', 'asked', 'restore'])
export type CheckpointReason = z.infer<typeof checkpointReasonSchema>

/** One entry of a sandbox's list of checkpoints. */
export const checkpointSchema = z.looseObject({
  /** Counted from 1 in each invocation. A number is never used twice. */
  id: z.number(),
  snapshot_ref: z.string(),
  snapshot_commit: objectIdSchema,
  /** The agent's HEAD at that moment; null if HEAD had no commit. */
  head_sha: z.nullable(objectIdSchema),
  created_at: z.string(),
  includes_untracked: z.boolean(),
  /** Compared with the checkpoint before (the first one: with the base): `+42 -15 in 3 files`. */
  diffstat: z.string(),
  /** Number of the checkpoint before it; null for the first. */
  parent: z.nullable(z.number()),
  tree: objectIdSchema,
  /** See KeptState. */
  verbatim_tree: z.optional(objectIdSchema),
  reason: checkpointReasonSchema,
  /** If it was taken at the end of a runner's turn, the number of that turn, from 1. */
  turn: z.nullable(z.number()),
  /** The person's own name for it. A checkpoint with a name is never thinned out. */
  name: z.nullable(z.string()),
  /** Paths that were left out: secrets by the denylist, and files over the limit. */
  excluded: z.array(z.string()),
  /** Paths that git cannot hold whole: nested repositories, sockets, unreadable files. */
  incomplete: z.array(z.string()),
})

/** `sandboxes/<invocation_id>/checkpoints.json`. */
export const checkpointsFileSchema = z.looseObject({
  checkpoints: z.array(checkpointSchema),
  /** The highest number ever used, even if that checkpoint was thinned out. */
  last_id: z.optional(z.number()),
})

export type Checkpoint = z.infer<typeof checkpointSchema>
export type CheckpointsFile = z.infer<typeof checkpointsFileSchema>

/** How many checkpoints a sandbox has, for lists. */
export interface CheckpointTally {
  readonly count: number
  /** When the last one was taken. RFC 3339. */
  readonly last_at: string
  /** Differs whenever the list has changed, if only by a name. */
  readonly stamp: string
}

export const snapshotRef = (id: InvocationId, checkpoint: number): string =>
  `${SNAPSHOT_REFS}${id}/${checkpoint}`
