// Checkpoints of a scene's sandbox, and what git says is in them.

import type { Checkpoint, CheckpointReason } from '../../../src/core/model/checkpoint.ts'
import { type CheckpointSettings, checkpointSettings } from '../../../src/core/model/checkpoint-settings.ts'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { takeCheckpoint } from '../../../src/core/operations/checkpoints/take-checkpoint.ts'
import { readCheckpoints } from '../../../src/core/store/checkpoints.ts'
import type { Repository } from '../../../src/core/store/repository.ts'
import { git } from '../git/repository.ts'
import type { Scene } from './sandbox.ts'

export const take = (
  { repository, record }: Scene,
  reason: CheckpointReason = 'quiet',
  settings: Partial<CheckpointSettings> = {},
): Promise<Checkpoint | null> =>
  takeCheckpoint(repository, record, { reason, settings: { ...checkpointSettings(undefined), ...settings } })

/** Takes a checkpoint. Throws if nothing has changed. */
export async function taken(
  scene: Scene,
  reason?: CheckpointReason,
  settings?: Partial<CheckpointSettings>,
): Promise<Checkpoint> {
  const checkpoint = await take(scene, reason, settings)
  if (checkpoint === null) throw new Error('nothing has changed')
  return checkpoint
}

export const filesIn = ({ root }: Scene, { snapshot_commit }: Checkpoint): string[] =>
  git(root, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', snapshot_commit).split('\n')

export const fileIn = ({ root }: Scene, { snapshot_commit }: Checkpoint, path: string): string =>
  git(root, 'show', `${snapshot_commit}:${path}`)

export const SETTINGS: CheckpointSettings = checkpointSettings(undefined)

/** The present state of a sandbox as a checkpoint that a person asked for; the last one if nothing has changed. */
export async function takeNow(repository: Repository, record: InvocationRecord): Promise<Checkpoint> {
  const made = await takeCheckpoint(repository, record, { reason: 'asked', settings: SETTINGS })
  const now = made ?? readCheckpoints(repository.paths, record.invocation_id).at(-1)
  if (now === undefined) throw new Error('there is no checkpoint')
  return now
}
