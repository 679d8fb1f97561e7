// Drops checkpoints whose objects are gone, because somebody pruned the repository between the writing of objects and
// ref. Such a checkpoint cannot be a parent of the next one, and its ref would make every later `git gc` of the agent's
// fail.

import { diffPaths } from '../../doors/git/compare-trees.ts'
import type { Checkpoint } from '../../model/checkpoint.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { readCheckpoints, updateCheckpoints } from '../../store/checkpoints.ts'
import { appendEvent } from '../../store/events.ts'
import type { Repository } from '../../store/repository.ts'

/** Drops lost checkpoints, beginning with the newest, until it meets one that is not lost. */
export async function dropLost(repository: Repository, record: InvocationRecord): Promise<void> {
  const lost: Checkpoint[] = []
  for (const checkpoint of readCheckpoints(repository.paths, record.invocation_id).toReversed()) {
    if (await holdsCheckpoint(repository, record, checkpoint)) break
    lost.push(checkpoint)
  }
  if (lost.length === 0) return
  for (const { snapshot_ref, snapshot_commit } of lost) {
    await repository.git.store.run(['update-ref', '--no-deref', '-d', snapshot_ref, snapshot_commit], {
      answers: [1, 128],
    })
  }
  const gone = new Set(lost.map(({ id }) => id))
  await updateCheckpoints(repository, record.invocation_id, (before) =>
    before.filter(({ id }) => !gone.has(id)),
  )
  for (const { id } of lost.toReversed()) {
    appendEvent(repository.paths, record.invocation_id, {
      kind: 'checkpoint_failed',
      message: `checkpoint ${id} is lost: its objects were pruned while it was written`,
    })
  }
}

/** Whether its commit is there, and with it every tree that differs from where the sandbox began. */
async function holdsCheckpoint(
  { git }: Repository,
  { base_commit }: InvocationRecord,
  { snapshot_commit }: Checkpoint,
): Promise<boolean> {
  try {
    await diffPaths(git.store, base_commit, snapshot_commit)
    return true
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_GIT_FAILED') return false
    throw error
  }
}
