// The facade's verbs for checkpoints. Like the others they hold no rule, and load a verb's own code when it is first
// called.

import type { CheckpointSettings } from '../model/checkpoint-settings.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'
import type { Agency } from './agency.ts'

type CheckpointVerbs =
  | 'listCheckpoints'
  | 'showCheckpoint'
  | 'createCheckpoint'
  | 'nameCheckpoint'
  | 'restoreCheckpoint'
  | 'diffCheckpoint'
  | 'exportCheckpoint'

/** `find` returns the reconciled record. */
export function checkpointVerbs(
  repository: Repository,
  find: (typed: string) => Promise<InvocationRecord>,
  settings: CheckpointSettings,
): Pick<Agency, CheckpointVerbs> {
  return {
    listCheckpoints: async (typed) => {
      const { readCheckpoints } = await import('../store/checkpoints.ts')
      const invocation = await find(typed)
      return { invocation, checkpoints: readCheckpoints(repository.paths, invocation.invocation_id) }
    },
    showCheckpoint: async (typed, number) => {
      const { findCheckpoint } = await import('../operations/checkpoints/find-checkpoint.ts')
      const invocation = await find(typed)
      return { invocation, checkpoint: findCheckpoint(repository, invocation, number) }
    },
    createCheckpoint: async (typed, options = {}) =>
      (await import('../operations/checkpoints/create-checkpoint.ts')).createCheckpoint(
        repository,
        await find(typed),
        {
          name: options.name ?? null,
          settings,
        },
      ),
    nameCheckpoint: async (typed, checkpoint, name) => {
      const { nameCheckpoint } = await import('../operations/checkpoints/name-checkpoint.ts')
      const invocation = await find(typed)
      return { invocation, checkpoint: await nameCheckpoint(repository, invocation, { checkpoint, name }) }
    },
    restoreCheckpoint: async (typed, checkpoint) =>
      (await import('../operations/checkpoints/restore-checkpoint.ts')).restoreCheckpoint(
        repository,
        await find(typed),
        {
          checkpoint,
          settings,
        },
      ),
    diffCheckpoint: async (typed, checkpoint, against) =>
      (await import('../operations/checkpoints/diff-checkpoint.ts')).diffCheckpoint(
        repository,
        await find(typed),
        {
          checkpoint,
          against,
          settings,
        },
      ),
    exportCheckpoint: async (typed, checkpoint, to) =>
      (await import('../operations/checkpoints/export-checkpoint.ts')).exportCheckpoint(
        repository,
        await find(typed),
        {
          checkpoint,
          to,
        },
      ),
  }
}
