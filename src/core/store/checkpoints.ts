// The list of a sandbox's checkpoints, `sandboxes/<invocation_id>/checkpoints.json`. If it cannot be read, that is an
// error: the refs are still there, and a new list would hide them.

import { type Checkpoint, type CheckpointsFile, checkpointsFileSchema } from '../model/checkpoint.ts'
import type { InvocationId } from '../model/ids.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, writeRecord } from './record-file.ts'
import type { Repository } from './repository.ts'

/** In the order they were taken. Throws E_RECORD_UNREADABLE. */
export const readCheckpoints = (paths: RepoPaths, id: InvocationId): readonly Checkpoint[] =>
  readCheckpointsFile(paths, id).checkpoints

/** Throws E_RECORD_UNREADABLE. */
export const readCheckpointsFile = (paths: RepoPaths, id: InvocationId): CheckpointsFile =>
  readRecord(paths.invocation(id).checkpoints, checkpointsFileSchema) ?? { checkpoints: [] }

/** A number that was never used before, not even by a checkpoint that is thinned out. */
export const nextCheckpointId = ({ checkpoints, last_id }: CheckpointsFile): number =>
  Math.max(last_id ?? 0, ...checkpoints.map(({ id }) => id)) + 1

/**
 * Read-modify-write under the repository's lock, which is held for these milliseconds only: whatever takes longer (the
 * commit, its ref) is done before. Returns the list as written. Throws E_RECORD_UNREADABLE.
 */
export const updateCheckpoints = (
  repository: Repository,
  id: InvocationId,
  change: (before: readonly Checkpoint[]) => readonly Checkpoint[],
): Promise<readonly Checkpoint[]> => repository.locked(() => rewriteCheckpoints(repository.paths, id, change))

/** The same for a caller that holds the lock. */
export async function rewriteCheckpoints(
  paths: RepoPaths,
  id: InvocationId,
  change: (before: readonly Checkpoint[]) => readonly Checkpoint[],
): Promise<readonly Checkpoint[]> {
  const before = readCheckpointsFile(paths, id)
  const checkpoints = [...change(before.checkpoints)]
  const last_id = Math.max(nextCheckpointId(before), nextCheckpointId({ checkpoints })) - 1
  await writeRecord(paths.invocation(id).checkpoints, checkpointsFileSchema, {
    ...before,
    last_id,
    checkpoints,
  })
  return checkpoints
}
