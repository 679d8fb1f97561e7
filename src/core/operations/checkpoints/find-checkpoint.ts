// Finds a checkpoint by the number that a person typed, or makes one of the sandbox's newest state.

import type { Checkpoint } from '../../model/checkpoint.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { readCheckpoints } from '../../store/checkpoints.ts'
import type { Repository } from '../../store/repository.ts'
import { takeByScan } from './take-checkpoint.ts'

/** Throws E_CHECKPOINT_NOT_FOUND. */
export function findCheckpoint(
  { paths }: Repository,
  { invocation_id }: InvocationRecord,
  number: number,
): Checkpoint {
  const checkpoints = readCheckpoints(paths, invocation_id)
  const found = checkpoints.find(({ id }) => id === number)
  if (found !== undefined) return found
  const newest = checkpoints.at(-1)
  const has = newest === undefined ? 'it has none yet' : `its newest is ${newest.id}`
  throw new AgencyError('E_CHECKPOINT_NOT_FOUND', `${invocation_id} has no checkpoint ${number}: ${has}`, {
    hint: `agency checkpoint ls ${invocation_id}`,
  })
}

/**
 * Takes a checkpoint of the sandbox as it is, or returns the last one if nothing has changed since. Secrets are left
 * out, and never prevent it. The caller has the sandbox's turn and not the lock. Throws what takeCheckpoint throws.
 */
export async function checkpointNow(
  repository: Repository,
  record: InvocationRecord,
  settings: CheckpointSettings,
): Promise<Checkpoint> {
  const { checkpoint: taken } = await takeByScan(repository, record, {
    reason: 'restore',
    settings: { ...settings, on_denylisted: 'exclude' },
  })
  const now = taken ?? readCheckpoints(repository.paths, record.invocation_id).at(-1)
  if (now === undefined) throw new Error('nothing has changed since a checkpoint that is not there')
  return now
}
