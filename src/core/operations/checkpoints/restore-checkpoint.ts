// Brings a sandbox back to one of its checkpoints, exactly. What it holds before that becomes a checkpoint first; undo
// goes back to it.

import type { RestoredCheckpoint } from '../../facade/agency.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationId, shortId } from '../../model/ids.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import { readInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { killLeftovers } from '../invocations/kill-leftovers.ts'
import { atRest } from '../sandboxes/at-rest.ts'
import { recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { carryOutRestore } from './carry-out-restore.ts'
import { checkpointNow, findCheckpoint } from './find-checkpoint.ts'

export interface RestoreOptions {
  /** Number of the checkpoint. */
  readonly checkpoint: number
  readonly settings: CheckpointSettings
}

/**
 * Throws E_INVOCATION_RUNNING, E_INVOCATION_CLOSED, E_CHECKPOINT_NOT_FOUND, E_WOULD_OVERWRITE, E_INTEGRATION_BUSY; then
 * the sandbox is as it was.
 */
export const restoreCheckpoint = (
  repository: Repository,
  record: InvocationRecord,
  options: RestoreOptions,
): Promise<RestoredCheckpoint> =>
  atRest(repository, [record], () => restoreInTurn(repository, record.invocation_id, options))

async function restoreInTurn(
  repository: Repository,
  id: InvocationId,
  { checkpoint: number, settings }: RestoreOptions,
): Promise<RestoredCheckpoint> {
  const record = readInvocation(repository.paths, id)
  refuseUnlessOpen(record)
  const checkpoint = findCheckpoint(repository, record, number)
  await killLeftovers(repository, record)
  const safety = await checkpointNow(repository, record, settings)
  const { notes } = await repository.locked(async () => {
    await recoverInterrupted(repository, { invocations: [id] })
    refuseUnlessOpen(readInvocation(repository.paths, id))
    return carryOutRestore(repository, {
      kind: 'restore',
      description: `restored ${shortId(id)} (${record.runner}) to checkpoint ${number}, from ${safety.id}`,
      record,
      from: safety.snapshot_commit,
      to: checkpoint.snapshot_commit,
      target: null,
      bring_back: null,
      reverses: null,
    })
  })
  return { invocation: readInvocation(repository.paths, id), checkpoint, safety, notes }
}

export function refuseUnlessOpen(record: InvocationRecord): void {
  const { invocation_id: id, landing_status } = record
  if (isClosed(record)) {
    throw new AgencyError('E_INVOCATION_CLOSED', `${id} was ${landing_status}: its sandbox is gone`, {
      hint: `agency agent start --from ${id}@N makes a new sandbox from a checkpoint; agency undo brings this one back`,
    })
  }
  if (isActive(record)) {
    throw new AgencyError('E_INVOCATION_RUNNING', `${id} is still running: stop it first`, {
      hint: `agency agent stop ${id}`,
    })
  }
}
