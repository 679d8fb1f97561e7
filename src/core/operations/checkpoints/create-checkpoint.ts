// Takes a checkpoint because a person asked for one, with a name if they gave one.

import type { CheckpointView } from '../../facade/agency.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { readCheckpoints } from '../../store/checkpoints.ts'
import type { Repository } from '../../store/repository.ts'
import { checkName, nameCheckpoint } from './name-checkpoint.ts'
import { takeCheckpoint } from './take-checkpoint.ts'

export interface CreateRequest {
  readonly name: string | null
  readonly settings: CheckpointSettings
}

/**
 * If nothing has changed since the last checkpoint, that one gets the name and is returned. Throws E_INVOCATION_CLOSED
 * and what takeCheckpoint throws.
 */
export async function createCheckpoint(
  repository: Repository,
  invocation: InvocationRecord,
  { name, settings }: CreateRequest,
): Promise<CheckpointView & { taken: boolean }> {
  const checked = name === null ? null : checkName(name)
  if (isClosed(invocation)) {
    throw new AgencyError(
      'E_INVOCATION_CLOSED',
      `${invocation.invocation_id} was ${invocation.landing_status}: its sandbox is gone`,
    )
  }
  const made = await takeCheckpoint(repository, invocation, { reason: 'asked', name: checked, settings })
  if (made !== null) return { invocation, checkpoint: made, taken: true }
  const last = readCheckpoints(repository.paths, invocation.invocation_id).at(-1)
  if (last === undefined) throw new Error('nothing has changed since a checkpoint that is not there')
  const checkpoint =
    checked === null
      ? last
      : await nameCheckpoint(repository, invocation, { checkpoint: last.id, name: checked })
  return { invocation, checkpoint, taken: false }
}
