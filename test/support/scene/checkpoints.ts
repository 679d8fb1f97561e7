// Checkpoints of a scene's sandbox, and what git says is in them.

import type { RestoredCheckpoint } from '../../../src/core/facade/agency.ts'
import type { Checkpoint, CheckpointReason } from '../../../src/core/model/checkpoint.ts'
import { type CheckpointSettings, checkpointSettings } from '../../../src/core/model/checkpoint-settings.ts'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { restoreCheckpoint } from '../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { takeCheckpoint } from '../../../src/core/operations/checkpoints/take-checkpoint.ts'
import { readCheckpoints } from '../../../src/core/store/checkpoints.ts'
import type { Repository } from '../../../src/core/store/repository.ts'
import { git } from '../git/repository.ts'
import { treeManifest } from '../git/tree-manifest.ts'
import { type Scene, shell } from './sandbox.ts'

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

export const takeNowIn = ({ repository, record }: Scene): Promise<Checkpoint> => takeNow(repository, record)

export const restoreTo = ({ repository, record }: Scene, checkpoint: number): Promise<RestoredCheckpoint> =>
  restoreCheckpoint(repository, record, { checkpoint, settings: SETTINGS })

/** All that a restore has to bring back: the files, what git says of them, and the branch, which may be missing. */
export const pictureOf = ({ tree, record }: Scene): Picture => ({
  files: treeManifest(tree),
  status: git(tree, 'status', '--porcelain=v2', '--branch'),
  branch: shell(tree, `git rev-parse -q --verify ${record.sandbox_branch} || true`),
})

export interface Picture {
  readonly files: ReturnType<typeof treeManifest>
  readonly status: string
  readonly branch: string
}
