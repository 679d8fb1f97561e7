// The one implementation of the whole facade: it resolves what a person typed, finishes what a kill interrupted, and
// calls the operation. No rule lives here. A verb's own code is loaded when the verb is first called.

import type { Effects } from '../doors/effects.ts'
import { type CheckpointSettings, checkpointSettings } from '../model/checkpoint-settings.ts'
import { CONFIG_DEFAULTS, type Config } from '../model/config.ts'
import {
  changeEnvironment,
  describeEnvironment,
  type EnvironmentChanges,
  settleEnvironment,
} from '../model/environment.ts'
import type { EnvironmentView } from '../model/environment-catalog.ts'
import { AgencyError } from '../model/errors.ts'
import { isInvocationId } from '../model/ids.ts'
import { endForGood, endInvocation, killUnrecorded } from '../operations/invocations/end-invocation.ts'
import { defaultEnvironment } from '../operations/invocations/resolve-start.ts'
import { viewInvocations, viewWorktree, viewWorktrees } from '../operations/invocations/view-invocations.ts'
import { readEvents } from '../store/events.ts'
import { locateMisplaced } from '../store/repository.ts'
import { findWorktree } from '../store/worktrees.ts'
import type { Agency, RunnerView, StopReport } from './agency.ts'
import { checkpointVerbs } from './checkpointing-verbs.ts'
import { type MisplacedRepository, misplacedAgency } from './misplaced-agency.ts'
import { type AgencyOptions, type Context, find, openContext, stalledAfter } from './open-context.ts'
import { startingVerbs, terminalOf } from './starting-verbs.ts'
import { watchingVerbs } from './watching-verbs.ts'
import { withOurErrors } from './with-our-errors.ts'

export async function createAgency(options: AgencyOptions): Promise<Agency> {
  const context = await openContext(options).catch((error: unknown) => whereMisplaced(options, error))
  if (!('config' in context)) return misplacedAgency(context)
  const { repository, config, ready } = context
  return withOurErrors(repository.paths.dir, {
    repository: repository.record,
    ...startingVerbs(context),
    ...worktreeVerbs(context),
    ...invocationVerbs(context),
    ...landingVerbs(context),
    ...watchingVerbs(repository, { ready, stalled_after: stalledAfter(config) }),
    ...checkpointVerbs(repository, (typed) => find(context, typed), settingsOf(config)),
    ...housekeepingVerbs(context),
  })
}

/** The repository's place, if that is what is wrong; doctor mends it. */
async function whereMisplaced({ effects, cwd }: AgencyOptions, error: unknown): Promise<MisplacedRepository> {
  if (!(error instanceof AgencyError) || error.code !== 'E_REPOSITORY_MOVED') throw error
  const found = await locateMisplaced(effects, cwd)
  if (found === null) throw error
  return { effects, error, ...found }
}

const settingsOf = (config: Config): CheckpointSettings => checkpointSettings(config.checkpoint)

function worktreeVerbs(context: Context): Pick<Agency, 'listWorktrees' | 'showWorktree' | 'removeWorktree'> {
  const { ready, config } = context
  const stalled = { stalled_after: stalledAfter(config) }
  return {
    listWorktrees: async (options = {}) => viewWorktrees(await ready(), { ...stalled, all: options.all }),
    showWorktree: async (typed) => {
      const repository = await ready()
      const record = findWorktree(repository.paths, typed)
      const { invocations } = await viewInvocations(repository, { ...stalled, all: true })
      return viewWorktree(record, invocations)
    },
    removeWorktree: async (typed, options = {}) => {
      const repository = await ready()
      return (await import('../operations/integration/remove-worktree.ts')).removeWorktree(
        repository,
        findWorktree(repository.paths, typed),
        {
          force: options.force === true,
          progress: options.progress ?? (() => {}),
          end: (record) => endForGood(repository, record),
        },
      )
    },
  }
}

type InvocationVerbs =
  | 'listInvocations'
  | 'invocationEvents'
  | 'renameInvocation'
  | 'stopInvocation'
  | 'killInvocation'
  | 'sendText'

function invocationVerbs(context: Context): Pick<Agency, InvocationVerbs> {
  const { ready, config } = context
  return {
    listInvocations: async (options = {}) =>
      viewInvocations(await ready(), { ...options, stalled_after: stalledAfter(config) }),
    invocationEvents: async (typed) =>
      readEvents(context.repository.paths, (await find(context, typed)).invocation_id),
    renameInvocation: async (typed, name) => {
      const { renameInvocation } = await import('../operations/invocations/rename-invocation.ts')
      return await renameInvocation(context.repository, await find(context, typed), name)
    },
    stopInvocation: async (typed) => endInvocation(context.repository, await find(context, typed), 'stop'),
    killInvocation: (typed) => killInvocation(context, typed),
    sendText: async (typed, bytes) =>
      context.repository.effects.hosts.send(terminalOf(context, await find(context, typed)), bytes),
  }
}

/** What runs for a broken invocation is killed too, though no record can say so. */
async function killInvocation(context: Context, typed: string): Promise<StopReport> {
  const { repository } = context
  try {
    return await endInvocation(repository, await find(context, typed), 'kill')
  } catch (error) {
    if (!(error instanceof AgencyError) || error.code !== 'E_INVOCATION_BROKEN' || !isInvocationId(typed))
      throw error
    const killed = await killUnrecorded(repository, typed)
    const what = killed === 1 ? '1 process of it was' : `${killed} processes of it were`
    throw new AgencyError(error.code, `${error.message}; ${what} killed`, { cause: error })
  }
}

type LandingVerbs =
  | 'forecastLanding'
  | 'landInvocation'
  | 'discardInvocation'
  | 'undo'
  | 'redo'
  | 'operations'

function landingVerbs(context: Context): Pick<Agency, LandingVerbs> {
  const { ready, repository, config } = context
  return {
    forecastLanding: async (typed) =>
      (await import('../operations/landing/forecast-landing.ts')).forecastLanding(
        repository,
        await find(context, typed),
      ),
    landInvocation: async (typed, options = {}) =>
      (await import('../operations/landing/land-invocation.ts')).landInvocation(
        repository,
        await find(context, typed),
        options,
      ),
    discardInvocation: async (typed) =>
      (await import('../operations/sandboxes/discard-invocation.ts')).discardInvocation(
        repository,
        await find(context, typed),
        (record) => endForGood(repository, record),
      ),
    undo: async () =>
      (await import('../operations/history/undo-operation.ts')).undoLast(await ready(), settingsOf(config)),
    redo: async () =>
      (await import('../operations/history/redo-operation.ts')).redoLast(await ready(), settingsOf(config)),
    operations: async () =>
      (await import('../operations/history/operation-lines.ts')).operationLines(await ready()),
  }
}

type HousekeepingVerbs =
  | 'diagnose'
  | 'collectGarbage'
  | 'runners'
  | 'environments'
  | 'showEnvironment'
  | 'checkEnvironment'
  | 'listBranches'
  | 'uiMemory'
  | 'keepUiMemory'

function housekeepingVerbs(context: Context): Pick<Agency, HousekeepingVerbs> {
  const { cwd, ready, repository, config } = context
  return {
    // Opens the repository without `ready`, so that doctor can show an interrupted landing before it is finished.
    diagnose: async (options) =>
      (await import('../operations/diagnosis/diagnose.ts')).diagnose(repository, options),
    collectGarbage: async (options = {}) =>
      (await import('../operations/diagnosis/collect-garbage.ts')).collectGarbage(await ready(), {
        dry_run: options.dry_run === true,
        keep_days: config.keep_discarded ?? CONFIG_DEFAULTS.keep_discarded,
        settings: settingsOf(config),
      }),
    listBranches: async () =>
      (await import('../operations/integration/list-branches.ts')).listBranches(repository, cwd),
    uiMemory: async () => (await import('../store/kept-ui-memory.ts')).readUiMemory(repository.paths),
    keepUiMemory: async (memory) =>
      (await import('../store/kept-ui-memory.ts')).writeUiMemory(repository.paths, memory),
    runners: () =>
      Promise.all(repository.effects.runners.names.map((name) => viewRunner(repository.effects, name))),
    environments: () =>
      Promise.all(repository.effects.environments.names.map((name) => viewEnvironment(context, name))),
    showEnvironment: (name, changes) => viewEnvironment(context, name, changes),
    checkEnvironment: async (name, changes) => {
      const view = await viewEnvironment(context, name, changes)
      const isRefused = view.refusals.length > 0
      const lines = isRefused ? [] : await repository.effects.environments.of(view.environment).prove()
      return { ...view, lines, proved: !isRefused && lines.every(({ held }) => held) }
    },
  }
}

async function viewEnvironment(
  { repository, config }: Context,
  name: string,
  changes: EnvironmentChanges = {},
): Promise<EnvironmentView> {
  const { environments } = repository.effects
  const environment = settleEnvironment(changeEnvironment(environments.get(name), changes))
  const refusals = await environments.of(environment).preflight()
  const is_default = defaultEnvironment(environments, config).name === name
  return { environment, is_default, words: describeEnvironment(environment), refusals }
}

async function viewRunner({ runners, env }: Effects, name: string): Promise<RunnerView> {
  const runner = runners.get(name)
  const { title, modes, models, takes_model, permissions } = runner
  const availability = await runner.probe(env)
  return { name, title, modes, models: Object.keys(models), takes_model, permissions, availability }
}
