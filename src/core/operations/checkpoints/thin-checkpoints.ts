// Drops checkpoints that an older list can do without: first their refs, by one command, then their lines. Each is a
// parent of the ones after it, so git keeps what they held and no space is freed. What is gained is a list that a
// person can read, and fewer refs for git to go through.

import { moveRefs } from '../../doors/git/move-refs.ts'
import { type Checkpoint, snapshotRef } from '../../model/checkpoint.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { SNAPSHOT_REFS } from '../../model/refs.ts'
import { planThinning } from '../../model/thinning.ts'
import { readCheckpoints, rewriteCheckpoints } from '../../store/checkpoints.ts'
import type { Repository } from '../../store/repository.ts'

export interface ThinningOptions {
  readonly settings: CheckpointSettings
  readonly dry_run?: boolean
}

/** Called by the host now and then, and never while holding the lock. Returns the checkpoints that were dropped. */
export const thinCheckpoints = (
  repository: Repository,
  record: InvocationRecord,
  options: ThinningOptions,
): Promise<readonly Checkpoint[]> =>
  planFor(repository, record, options).length === 0
    ? Promise.resolve([])
    : repository.locked(() => thinUnderLock(repository, record, options))

/** The caller holds the lock. A list that cannot be read is left alone. */
export async function thinUnderLock(
  repository: Repository,
  record: InvocationRecord,
  options: ThinningOptions,
): Promise<readonly Checkpoint[]> {
  const going = planFor(repository, record, options)
  if (going.length === 0 || options.dry_run === true) return going
  const id = record.invocation_id
  repository.effects.onStep('drop the refs of old checkpoints')
  await dropRefs(repository, record, going)
  repository.effects.onStep('shorten the list of checkpoints')
  const gone = new Set(going.map((checkpoint) => checkpoint.id))
  await rewriteCheckpoints(repository.paths, id, (before) =>
    before.filter((checkpoint) => !gone.has(checkpoint.id)),
  )
  return going
}

function planFor(
  { paths, effects }: Repository,
  { invocation_id }: InvocationRecord,
  { settings }: ThinningOptions,
): readonly Checkpoint[] {
  try {
    return planThinning(readCheckpoints(paths, invocation_id), effects.clock.now(), settings)
  } catch (error) {
    if (error instanceof AgencyError) return []
    throw error
  }
}

/** A ref that somebody has moved is left alone: it is theirs now. */
async function dropRefs(
  repository: Repository,
  { invocation_id }: InvocationRecord,
  going: readonly Checkpoint[],
): Promise<void> {
  const listed = await repository.git.store.text([
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    `${SNAPSHOT_REFS}${invocation_id}/`,
  ])
  const ours = new Set(listed.split('\n'))
  const refs = going
    .map(({ id, snapshot_commit }) => ({
      ref: snapshotRef(invocation_id, id),
      from: snapshot_commit,
      to: null,
    }))
    .filter(({ ref, from }) => ours.has(`${ref} ${from}`))
  await moveRefs(repository, refs)
}
