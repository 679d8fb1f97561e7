// What every verb of the facade needs: the repository, the configuration, and the way from what a person typed to a
// record.

import type { Effects } from '../doors/effects.ts'
import { CONFIG_DEFAULTS, type Config } from '../model/config.ts'
import { AgencyError } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { findInvocation } from '../operations/invocations/known-invocations.ts'
import { reconcile } from '../operations/invocations/reconcile.ts'
import { viewInvocation } from '../operations/invocations/view-invocations.ts'
import { isInterrupted } from '../store/interrupted.ts'
import { openRepository, type Repository } from '../store/repository.ts'
import { readWorktreeIfWhole } from '../store/worktrees.ts'
import type { InvocationView } from './agency.ts'

export interface AgencyOptions {
  /** Anywhere in the repository, or in one of its worktrees. */
  readonly cwd: string
  readonly effects: Effects
  /** The person's configuration, with those settings of the repository that are safe to take from it. */
  readonly configOf: (repositoryRoot: string) => Config
}

export interface Context {
  readonly cwd: string
  readonly repository: Repository
  readonly config: Config
  /** The repository, once what was interrupted has been finished where it can be. */
  ready(): Promise<Repository>
}

export async function openContext({ cwd, effects, configOf }: AgencyOptions): Promise<Context> {
  const repository = await openRepository(effects, cwd)
  return {
    cwd,
    repository,
    config: configOf(repository.record.root),
    ready: async () => {
      if (isInterrupted(repository.paths)) await finishInterruptedPublication(repository)
      return repository
    },
  }
}

/**
 * Where not even the lock can be had, as on a full disk, a verb that only reads works all the same; one that writes takes
 * the lock itself and says what is wrong.
 */
async function finishInterruptedPublication(repository: Repository): Promise<void> {
  const { recoverJournal } = await import('../operations/integration/recover-journal.ts')
  try {
    await repository.locked(() => recoverJournal(repository))
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
  }
}

/** The reconciled record. */
export async function find({ ready }: Context, typed: string): Promise<InvocationRecord> {
  const repository = await ready()
  return await reconcile(repository, findInvocation(repository.paths, typed))
}

export function viewRecord({ repository, config }: Context, record: InvocationRecord): InvocationView {
  return viewInvocation(repository, record, {
    worktree: readWorktreeIfWhole(repository.paths, record.integration_worktree_id),
    stalled_after: stalledAfter(config),
  })
}

/** Seconds. */
export const stalledAfter = (config: Config): number => config.stalled_after ?? CONFIG_DEFAULTS.stalled_after
