// The facade's one implementation: resolves what a person typed, finishes what a kill interrupted, calls the operation.
// No rule lives here. A verb's own code is loaded when the verb is first called.

import type { Agency, InvocationView, RunnerView } from './agency.ts'
import { checkpointVerbs } from './checkpoint-verbs.ts'
import type { Effects } from './effects/effects.ts'
import { speakOurErrors } from './effects/files.ts'
import { type CheckpointSettings, checkpointSettings } from './model/checkpoint-settings.ts'
import { CONFIG_DEFAULTS, type Config } from './model/config.ts'
import { AgencyError } from './model/errors.ts'
import { type InvocationRecord, isActive } from './model/invocation.ts'
import { endForGood, endInvocation } from './operations/end-invocation.ts'
import { hostSocket } from './operations/host-socket.ts'
import { reconcile } from './operations/reconcile.ts'
import {
  viewInvocation,
  viewInvocations,
  viewWorktree,
  viewWorktrees,
} from './operations/view-invocations.ts'
import { waitInvocation } from './operations/wait-invocation.ts'
import { readEvents } from './store/events.ts'
import { isInterrupted } from './store/interrupted.ts'
import { findInvocation } from './store/invocations.ts'
import { openRepository, type Repository } from './store/repository.ts'
import { findWorktree, readWorktreeIfWhole } from './store/worktrees.ts'
import { watchingVerbs } from './watching-verbs.ts'

export interface AgencyOptions {
  /** Anywhere in the repository, or in one of its worktrees. */
  readonly cwd: string
  readonly effects: Effects
  /** The person's configuration with what is safe to take from this repository. */
  readonly configOf: (repositoryRoot: string) => Config
}

export async function createAgency({ cwd, effects, configOf }: AgencyOptions): Promise<Agency> {
  const repository = await openRepository(effects, cwd)
  const context: Context = {
    cwd,
    repository,
    config: configOf(repository.record.root),
    ready: async () => {
      if (isInterrupted(repository.paths)) await finishInterrupted(repository)
      return repository
    },
  }
  return withOurErrors(repository.paths.dir, {
    repository: repository.record,
    config: context.config,
    ...worktreeVerbs(context),
    ...invocationVerbs(context),
    ...terminalVerbs(context),
    ...landingVerbs(context),
    ...watchingVerbs(repository, { ready: context.ready, stalled_after: stalledAfter(context.config) }),
    ...checkpointVerbs(repository, (typed) => find(context, typed), settingsOf(context.config)),
    ...housekeepingVerbs(context),
  })
}

async function finishInterrupted(repository: Repository): Promise<void> {
  const { recoverJournal } = await import('./operations/recover-journal.ts')
  await repository.locked(() => recoverJournal(repository))
}

/** A disk that is full or read-only can meet any write of any verb; each says so in our words. */
function withOurErrors<T extends object>(dataDir: string, verbs: T): T {
  return new Proxy(verbs, {
    get: (target, name) => {
      const verb: unknown = Reflect.get(target, name)
      if (typeof verb !== 'function') return verb
      return (...args: unknown[]) =>
        speakOurErrors(dataDir, async () => verb(...args)).catch((error: unknown) => {
          throw withExactHint(error, args[0])
        })
    },
  })
}

/** A hint that can be typed as it stands: with the name or id that the person used. */
function withExactHint(error: unknown, typed: unknown): unknown {
  if (!(error instanceof AgencyError) || typeof typed !== 'string') return error
  const hint = error.hint.replace(/\b(ID|NAME)\b/g, typed)
  if (hint === error.hint) return error
  return new AgencyError(error.code, error.message, { hint, details: error.details, cause: error.cause })
}

interface Context {
  readonly cwd: string
  readonly repository: Repository
  readonly config: Config
  /** The repository, after a landing that was interrupted has been finished. */
  ready(): Promise<Repository>
}

const stalledAfter = (config: Config): number => config.stalled_after ?? CONFIG_DEFAULTS.stalled_after

const settingsOf = (config: Config): CheckpointSettings => checkpointSettings(config.checkpoint)

/** The record as it truly is. */
async function find({ ready }: Context, typed: string): Promise<InvocationRecord> {
  const repository = await ready()
  return await reconcile(repository, findInvocation(repository.paths, typed))
}

function view({ repository, config }: Context, record: InvocationRecord): InvocationView {
  return viewInvocation(repository, record, {
    worktree: readWorktreeIfWhole(repository.paths, record.integration_worktree_id),
    stalled_after: stalledAfter(config),
  })
}

function worktreeVerbs(
  context: Context,
): Pick<Agency, 'createWorktree' | 'listWorktrees' | 'showWorktree' | 'removeWorktree'> {
  const { ready, config, cwd } = context
  const stalled = { stalled_after: stalledAfter(config) }
  return {
    createWorktree: async ({ name, parent }) =>
      (await import('./operations/create-worktree.ts')).createWorktree(await ready(), { name, parent, cwd }),
    listWorktrees: async (options = {}) => viewWorktrees(await ready(), { ...stalled, all: options.all }),
    showWorktree: async (typed) => {
      const repository = await ready()
      const record = findWorktree(repository.paths, typed)
      const { invocations } = await viewInvocations(repository, { ...stalled, all: true })
      return viewWorktree(record, invocations)
    },
    removeWorktree: async (typed, options = {}) => {
      const repository = await ready()
      return (await import('./operations/remove-worktree.ts')).removeWorktree(
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
  | 'startInvocation'
  | 'listInvocations'
  | 'showInvocation'
  | 'invocationEvents'
  | 'logPaths'
  | 'renameInvocation'
  | 'stopInvocation'
  | 'killInvocation'
  | 'waitInvocation'

function invocationVerbs(context: Context): Pick<Agency, InvocationVerbs> {
  const { ready, config } = context
  return {
    startInvocation: async (request) => {
      const repository = await ready()
      const { resolveStart } = await import('./operations/resolve-start.ts')
      const { startInvocation } = await import('./operations/start-invocation.ts')
      return await startInvocation(repository, resolveStart(repository.paths, request, config))
    },
    listInvocations: async (options = {}) =>
      viewInvocations(await ready(), { ...options, stalled_after: stalledAfter(config) }),
    showInvocation: async (typed) => view(context, await find(context, typed)),
    invocationEvents: async (typed) =>
      readEvents(context.repository.paths, (await find(context, typed)).invocation_id),
    logPaths: async (typed) => {
      const { raw, stderr, stream, cast } = context.repository.paths.invocation(
        (await find(context, typed)).invocation_id,
      )
      return { raw, stderr, stream, cast }
    },
    renameInvocation: async (typed, name) => {
      const { renameInvocation } = await import('./operations/rename-invocation.ts')
      return await renameInvocation(context.repository, await find(context, typed), name)
    },
    stopInvocation: async (typed) => endInvocation(context.repository, await find(context, typed), 'stop'),
    killInvocation: async (typed) => endInvocation(context.repository, await find(context, typed), 'kill'),
    waitInvocation: async (typed, options = {}) =>
      view(context, await waitInvocation(context.repository, await find(context, typed), options)),
  }
}

function terminalVerbs(context: Context): Pick<Agency, 'sendText' | 'attach'> {
  const { hosts } = context.repository.effects
  return {
    sendText: async (typed, bytes) => hosts.send(terminalOf(context, await find(context, typed)), bytes),
    attach: async (typed, size, events) =>
      hosts.attach(terminalOf(context, await find(context, typed)), size, events),
  }
}

/** The socket of a headed invocation that runs. */
function terminalOf({ repository }: Context, record: InvocationRecord): string {
  const id = record.invocation_id
  if (record.mode !== 'headed')
    throw new AgencyError('E_INVOCATION_NOT_HEADED', `${id} is headless: it has no terminal`)
  if (!isActive(record) || record.host === null) {
    throw new AgencyError('E_INVOCATION_NOT_RUNNING', `${id} is not running`)
  }
  return hostSocket(repository, record)
}

type LandingVerbs =
  | 'diffInvocation'
  | 'forecastLanding'
  | 'landInvocation'
  | 'discardInvocation'
  | 'undo'
  | 'redo'
  | 'operations'

function landingVerbs(context: Context): Pick<Agency, LandingVerbs> {
  const { ready, repository, config } = context
  return {
    diffInvocation: async (typed, request = {}) =>
      (await import('./operations/diff-invocation.ts')).diffInvocation(
        repository,
        await find(context, typed),
        request,
      ),
    forecastLanding: async (typed) =>
      (await import('./operations/forecast-landing.ts')).forecastLanding(
        repository,
        await find(context, typed),
      ),
    landInvocation: async (typed, options = {}) =>
      (await import('./operations/land-invocation.ts')).landInvocation(
        repository,
        await find(context, typed),
        options,
      ),
    discardInvocation: async (typed) =>
      (await import('./operations/discard-invocation.ts')).discardInvocation(
        repository,
        await find(context, typed),
        (record) => endForGood(repository, record),
      ),
    undo: async () =>
      (await import('./operations/undo-operation.ts')).undoLast(await ready(), settingsOf(config)),
    redo: async () =>
      (await import('./operations/redo-operation.ts')).redoLast(await ready(), settingsOf(config)),
    operations: async () => (await import('./operations/operation-lines.ts')).operationLines(await ready()),
  }
}

type HousekeepingVerbs =
  | 'diagnose'
  | 'collectGarbage'
  | 'runners'
  | 'listBranches'
  | 'uiMemory'
  | 'keepUiMemory'

function housekeepingVerbs({ cwd, ready, repository, config }: Context): Pick<Agency, HousekeepingVerbs> {
  return {
    // Not by `ready`: doctor shows an interrupted landing before it is finished.
    diagnose: async (options) => (await import('./operations/diagnose.ts')).diagnose(repository, options),
    collectGarbage: async (options = {}) =>
      (await import('./operations/collect-garbage.ts')).collectGarbage(await ready(), {
        dry_run: options.dry_run === true,
        keep_days: config.keep_discarded ?? CONFIG_DEFAULTS.keep_discarded,
        settings: settingsOf(config),
      }),
    listBranches: async () => (await import('./operations/list-branches.ts')).listBranches(repository, cwd),
    uiMemory: async () => (await import('./store/ui-memory.ts')).readUiMemory(repository.paths),
    keepUiMemory: async (memory) =>
      (await import('./store/ui-memory.ts')).writeUiMemory(repository.paths, memory),
    runners: () =>
      Promise.all(repository.effects.runners.names.map((name) => viewRunner(repository.effects, name))),
  }
}

async function viewRunner({ runners, env }: Effects, name: string): Promise<RunnerView> {
  const runner = runners.get(name)
  const { title, modes, models, takes_model, permissions } = runner
  const availability = await runner.probe(env)
  return { name, title, modes, models: Object.keys(models), takes_model, permissions, availability }
}
