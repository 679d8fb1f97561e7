// The state that a fork begins with: a checkpoint of another invocation, or its newest kept state, even if its sandbox
// is gone.

import { presenceOf } from '../../changesets/presence.ts'
import { readKeptState } from '../../changesets/worktree/keep/read-kept-state.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import type { ForkSource } from '../../facade/agency.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import type { KeptState } from '../../model/kept-state.ts'
import { readCheckpoints } from '../../store/checkpoints.ts'
import type { Repository } from '../../store/repository.ts'
import { checkpointNow, findCheckpoint } from '../checkpoints/find-checkpoint.ts'
import { findInvocation } from '../invocations/known-invocations.ts'
import { atRest } from './at-rest.ts'
import { trashRef } from './close-sandbox.ts'

export interface Fork {
  readonly record: InvocationRecord
  /** A commit whose tree is the state. */
  readonly commit: ObjectId
  readonly kept: KeptState
}

/**
 * Must not be called while holding the lock. Throws E_INVOCATION_NOT_FOUND, E_CHECKPOINT_NOT_FOUND, and E_UNDO_EXPIRED
 * if nothing of the invocation is kept any more.
 */
export async function findFork(
  repository: Repository,
  { invocation, checkpoint }: ForkSource,
  settings: CheckpointSettings,
): Promise<Fork> {
  const record = findInvocation(repository.paths, invocation)
  const commit =
    checkpoint === undefined
      ? await newestState(repository, record, settings)
      : findCheckpoint(repository, record, checkpoint).snapshot_commit
  if ((await readTip(repository.git.store, record.base_commit)) === null) {
    throw new AgencyError('E_UNDO_EXPIRED', `${record.base_commit}, where its work began, is gone`)
  }
  return { record, commit, kept: await readKeptState(repository, commit) }
}

async function newestState(
  repository: Repository,
  record: InvocationRecord,
  settings: CheckpointSettings,
): Promise<ObjectId> {
  const { paths, git } = repository
  const id = record.invocation_id
  const there = !isClosed(record) && presenceOf(record) !== 'gone'
  if (there) {
    const now = () => checkpointNow(repository, record, settings)
    return (await atRest(repository, [record], now)).snapshot_commit
  }
  const kept = isClosed(record) ? await readTip(git.store, trashRef(id)) : null
  const last = readCheckpoints(paths, id).at(-1)
  const commit = kept ?? (last === undefined ? null : await readTip(git.store, last.snapshot_commit))
  if (commit === null) throw new AgencyError('E_UNDO_EXPIRED', `nothing of ${id} is kept any more`)
  return commit
}
