// What every verb of the facade stands on: the repository, the configuration, and what a person typed made a record.

import type { Effects } from '../doors/effects.ts'
import { CONFIG_DEFAULTS, type Config } from '../model/config.ts'
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
  /** The person's configuration with what is safe to take from this repository. */
  readonly configOf: (repositoryRoot: string) => Config
}

export interface Context {
  readonly cwd: string
  readonly repository: Repository
  readonly config: Config
  /** The repository, after a landing that was interrupted has been finished. */
  ready(): Promise<Repository>
}

export async function openContext({ cwd, effects, configOf }: AgencyOptions): Promise<Context> {
  const repository = await openRepository(effects, cwd)
  return {
    cwd,
    repository,
    config: configOf(repository.record.root),
    ready: async () => {
      if (isInterrupted(repository.paths)) await finishInterrupted(repository)
      return repository
    },
  }
}

async function finishInterrupted(repository: Repository): Promise<void> {
  const { recoverJournal } = await import('../operations/integration/recover-journal.ts')
  await repository.locked(() => recoverJournal(repository))
}

/** The record as it truly is. */
export async function find({ ready }: Context, typed: string): Promise<InvocationRecord> {
  const repository = await ready()
  return await reconcile(repository, findInvocation(repository.paths, typed))
}

export function view({ repository, config }: Context, record: InvocationRecord): InvocationView {
  return viewInvocation(repository, record, {
    worktree: readWorktreeIfWhole(repository.paths, record.integration_worktree_id),
    stalled_after: stalledAfter(config),
  })
}

/** Seconds. */
export const stalledAfter = (config: Config): number => config.stalled_after ?? CONFIG_DEFAULTS.stalled_after
