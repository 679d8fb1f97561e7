// Starts one run of one runner in a sandbox of its own. The host process is spawned first, so that it boots while the
// sandbox is made. It runs nothing until it is told what, and ends by itself if it never is.

import { randomUUID } from 'node:crypto'
import { changesetKind } from '../../changesets/open-changeset.ts'
import type { Effects } from '../../doors/effects.ts'
import { inSteps, type RunStep } from '../../doors/steps.ts'
import { writeAtomic } from '../../doors/system/files.ts'
import { CHECKPOINT_DEFAULTS } from '../../model/checkpoint-settings.ts'
import type { Environment } from '../../model/environment.ts'
import type { Surroundings } from '../../model/environment-catalog.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { LaunchPlan, PendingHost, Runner } from '../../model/runner.ts'
import { showPath } from '../../model/sandbox-path.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { findWorktree } from '../../store/worktrees.ts'
import { createSandbox } from '../sandboxes/create-sandbox.ts'
import { type Fork, findFork } from '../sandboxes/fork-source.ts'
import { findResumed, followUpPrompt, type Resumed } from './follow-up.ts'
import { killLeftovers } from './kill-leftovers.ts'
import type { ResolvedStart } from './resolve-start.ts'

/** Resolves when the runner has been executed. If anything fails, nothing is left and the first error is thrown. */
export async function startInvocation(
  repository: Repository,
  request: ResolvedStart,
): Promise<InvocationRecord> {
  const { effects, paths } = repository
  const worktree = findWorktree(paths, request.worktree)
  const runner = checkRunner(effects.runners.get(request.runner), request)
  const resumed =
    request.resume === undefined ? null : await findResumed(repository, request.resume, runner.name)
  const { from, checkpoint = CHECKPOINT_DEFAULTS } = request
  const fork = from === undefined ? null : await findFork(repository, from, checkpoint)
  const surroundings = await checkEnvironment(effects, request.environment)
  const host = request.no_start === true ? null : await effects.hosts.boot()
  try {
    const executable = host === null ? null : await findExecutable(runner, effects.env)
    return await inSteps(effects, (step) =>
      makeAndRun(repository, {
        request,
        worktree,
        runner,
        surroundings,
        resumed,
        fork,
        host,
        executable,
        step,
      }),
    )
  } catch (error) {
    host?.abandon()
    throw error
  }
}

interface Start {
  readonly request: ResolvedStart
  readonly worktree: WorktreeRecord
  readonly runner: Runner
  readonly surroundings: Surroundings
  readonly resumed: Resumed | null
  readonly fork: Fork | null
  readonly host: PendingHost | null
  readonly executable: string | null
  readonly step: RunStep
}

async function makeAndRun(repository: Repository, start: Start): Promise<InvocationRecord> {
  const { paths } = repository
  const { record, filling } = await repository.locked(() =>
    createSandbox(repository, { ...start, parent: start.fork?.record ?? start.resumed?.record ?? null }),
  )
  const id = record.invocation_id
  const told = tellRunner(start, record)
  prepareLaunch(repository, start, { record, told })
  if (told !== null) {
    await start.step({
      name: 'write the prompt',
      run: () => writeAtomic(paths.invocation(id).prompt, told),
    })
  }
  await filling.ended
  if (start.host === null) return await leaveIdle(repository, record)
  const { host } = start
  await start.step({
    name: 'launch the runner',
    run: () => host.launch(),
    undo: async () => {
      await killLeftovers(repository, record)
    },
  })
  return readInvocation(paths, id)
}

/** The prompt as the runner is given it, as an argument or in its prompt file. Lists and logs show the person's own. */
function tellRunner(start: Start, record: InvocationRecord): string | null {
  const { request, surroundings, resumed, fork } = start
  if (resumed === null) return request.prompt
  const to = surroundings.inside(showPath(record.sandbox_path))
  return followUpPrompt(request.prompt, { from: resumed.sandbox_path, to, forked: fork !== null })
}

interface MadeRecord {
  readonly record: InvocationRecord
  readonly told: string | null
}

/** Lets the host make ready while the tree's files are still being written. */
function prepareLaunch(repository: Repository, start: Start, { record, told }: MadeRecord): void {
  const { host, executable } = start
  if (host === null || executable === null) return
  const plan = planRunnerLaunch(start, { record, told, executable })
  host.prepare(hostLaunch(repository, { record, plan, start }))
}

function planRunnerLaunch(
  { request, runner, surroundings, resumed }: Start,
  { record, told, executable }: MadeRecord & { readonly executable: string },
): LaunchPlan {
  return runner.planLaunch(
    {
      mode: request.mode,
      sandbox_path: surroundings.inside(showPath(record.sandbox_path)),
      prompt: told,
      prompt_path: record.prompt_path === null ? null : surroundings.inside(record.prompt_path),
      model: request.model ?? null,
      extra_args: request.extra_args ?? [],
      new_session_id: randomUUID(),
      resume_session_id: resumed?.session_id ?? null,
    },
    executable,
  )
}

interface Launch {
  readonly record: InvocationRecord
  readonly plan: LaunchPlan
  readonly start: Start
}

const hostLaunch = (repository: Repository, { record, plan, start }: Launch) => ({
  data_dir: repository.effects.dataDir,
  repo_id: repository.record.repo_id,
  invocation_id: record.invocation_id,
  mode: record.mode,
  stream_format: start.runner.stream_format,
  plan,
  needs: start.runner.needs,
  resumes: start.resumed?.record.invocation_id,
  columns: start.request.columns,
  rows: start.request.rows,
  prompt: start.request.prompt,
  checkpoint: start.request.checkpoint?.enabled === true ? start.request.checkpoint : null,
})

/** --no-start: a sandbox for the person's own hands, which lands or is discarded like any other. */
async function leaveIdle(repository: Repository, record: InvocationRecord): Promise<InvocationRecord> {
  const { paths, effects } = repository
  appendEvent(paths, record.invocation_id, {
    kind: 'created',
    message: 'the sandbox was made; nothing was run in it',
  })
  return await repository.locked(() =>
    updateInvocation(paths, record.invocation_id, {
      status: 'finished',
      exit_reason: 'exited',
      finished_at: effects.clock.now().toISOString(),
      landing_status: 'pending',
    }),
  )
}

function checkRunner(runner: Runner, request: ResolvedStart): Runner {
  if (!runner.modes.includes(request.mode)) {
    throw new AgencyError('E_RUNNER_MODE', `${runner.name} does not run ${request.mode}`)
  }
  if (request.mode === 'headless' && request.prompt === null && request.no_start !== true) {
    throw new AgencyError('E_PROMPT_MISSING')
  }
  return runner
}

/** Throws the first refusal only. Once the person has done what it asks for, the others may be gone. */
async function checkEnvironment({ environments }: Effects, environment: Environment): Promise<Surroundings> {
  changesetKind(environment)
  const surroundings = environments.of(environment)
  const [first] = await surroundings.preflight()
  if (first === undefined) return surroundings
  throw new AgencyError(first.code, first.message, { hint: first.hint })
}

async function findExecutable(runner: Runner, env: NodeJS.ProcessEnv): Promise<string> {
  const found = await runner.probe(env)
  if (found.state === 'ready') return found.executable
  throw new AgencyError(found.code, found.message, { hint: found.hint, details: { runner: runner.name } })
}
