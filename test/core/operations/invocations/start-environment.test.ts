import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Effects } from '../../../../src/core/doors/effects.ts'
import {
  type Environment,
  type EnvironmentChanges,
  LOCAL_ENVIRONMENT,
} from '../../../../src/core/model/environment.ts'
import type { PreflightFailure } from '../../../../src/core/model/environment-catalog.ts'
import type { LaunchRequest, Runner } from '../../../../src/core/model/runner.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import {
  type ResolvedStart,
  resolveStart,
} from '../../../../src/core/operations/invocations/resolve-start.ts'
import { startInvocation } from '../../../../src/core/operations/invocations/start-invocation.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { boxNone } from '../../../../src/runners/environments/box-none.ts'
import { environmentCatalog } from '../../../../src/runners/environments/catalog.ts'
import { PRIMITIVES } from '../../../../src/runners/environments/primitives.ts'
import { shell } from '../../../../src/runners/shell/shell.ts'
import { git } from '../../../support/git/repository.ts'
import { makeWorld } from '../../../support/scene/world.ts'

const BOXED: Environment = { ...LOCAL_ENVIRONMENT, name: 'boxed', isolation: 'mapped' }

/** A world with a box inside of which paths are different, and a runner that notes what it is asked to plan. */
async function makeBoxedWorld(refusals: readonly PreflightFailure[] = []) {
  const world = await makeWorld({ 'a.txt': 'one\n' })
  await createWorktree(world.repository, { name: 'my-feature', cwd: world.root })
  const mapped = {
    ...boxNone,
    grants: ['memory' as const],
    preflight: async () => refusals,
    inside: (path: string) => `/inside${path}`,
  }
  const boxes = new Map([...PRIMITIVES.boxes, ['mapped', mapped]])
  const planned: LaunchRequest[] = []
  let booted = 0
  const runner: Runner = {
    ...shell,
    planLaunch: (request, executable) => {
      planned.push(request)
      return { argv: [executable], env: {}, stdin: null, runner_session_id: 'session-1' }
    },
  }
  const effects: Effects = {
    ...world.effects,
    environments: environmentCatalog({ primitives: { ...PRIMITIVES, boxes } }),
    runners: { names: ['shell'], get: () => runner },
    hosts: {
      ...world.effects.hosts,
      boot: async () => {
        booted += 1
        return await world.effects.hosts.boot()
      },
    },
  }
  const repository = { ...world.repository, effects }
  const start = (changes: Partial<ResolvedStart> = {}) =>
    startInvocation(repository, {
      worktree: 'my-feature',
      runner: 'shell',
      mode: 'headless',
      prompt: 'Fix it',
      prompt_source: 'text',
      environment: BOXED,
      columns: 80,
      rows: 24,
      ...changes,
    })
  return { world, repository, planned, booted: () => booted, start }
}

test('the record has the environment as it was resolved, and nothing else says it to the host', async () => {
  const { world, start } = await makeBoxedWorld()
  const environment = { ...BOXED, changeset: 'worktree', memory: 4096 }
  expect((await start({ environment })).environment).toEqual(environment)
  expect(world.launches[0]).not.toHaveProperty('environment')
})

test('the kind of sandbox is that of the environment', async () => {
  const { world, start } = await makeBoxedWorld()
  const commonDirOf = async (changeset: string): Promise<string> => {
    const { sandbox_path } = await start({ environment: { ...LOCAL_ENVIRONMENT, changeset } })
    expect(readFileSync(join(showPath(sandbox_path), 'a.txt'), 'utf8')).toBe('one\n')
    return git(showPath(sandbox_path), 'rev-parse', '--path-format=absolute', '--git-common-dir')
  }
  expect(await commonDirOf('worktree')).toBe(join(world.root, '.git'))
  expect(await commonDirOf('copy')).not.toBe(join(world.root, '.git'))
})

test('a plan is made with the paths of the inside, and the record keeps those of the outside', async () => {
  const { planned, start } = await makeBoxedWorld()
  const { sandbox_path, prompt_path } = await start()
  expect(planned[0]).toMatchObject({
    sandbox_path: `/inside${showPath(sandbox_path)}`,
    prompt_path: `/inside${prompt_path}`,
  })
  expect(existsSync(showPath(sandbox_path))).toBe(true)
  expect(readFileSync(prompt_path ?? '', 'utf8')).toBe('Fix it')
})

test('a follow-up is told both paths as its session knew and knows them', async () => {
  const { repository, planned, start } = await makeBoxedWorld()
  const first = await start({ environment: LOCAL_ENVIRONMENT })
  const ended = { status: 'finished', exit_reason: 'exited', runner_session_id: 'session-1' } as const
  await updateInvocation(repository.paths, first.invocation_id, ended)
  const second = await start({ resume: first.invocation_id })
  expect(planned[1]?.prompt).toContain(
    `Your working directory is now /inside${showPath(second.sandbox_path)}, `,
  )
  expect(planned[1]?.prompt).toContain(`the paths in ${showPath(first.sandbox_path)} from before are gone`)
  await updateInvocation(repository.paths, second.invocation_id, ended)
  const third = await start({ resume: second.invocation_id, environment: LOCAL_ENVIRONMENT })
  expect(planned[2]?.prompt).toContain(`Your working directory is now ${showPath(third.sandbox_path)}, `)
  expect(planned[2]?.prompt).toContain(
    `the paths in /inside${showPath(second.sandbox_path)} from before are gone`,
  )
})

test('what the preflight refuses is said by its first refusal before anything is made or booted', async () => {
  const refusals: readonly PreflightFailure[] = [
    { code: 'E_ISOLATION_UNAVAILABLE', message: 'there is no bwrap on PATH', hint: 'install bubblewrap' },
    { code: 'E_OUTPUTS_UNENFORCEABLE', message: 'no network namespaces', hint: 'another kernel' },
  ]
  const { world, repository, booted, start } = await makeBoxedWorld(refusals)
  const begun = world.steps.length
  await expect(start()).rejects.toMatchObject(refusals[0] ?? {})
  expect(world.steps.slice(begun)).toEqual([])
  expect(booted()).toBe(0)
  expect(existsSync(repository.paths.invocationsDir)).toBe(false)
  expect(git(world.root, 'branch', '--list', 'agency/sandbox-*')).toBe('')
  expect(readdirSync(`${world.root}/.git/worktrees`)).toHaveLength(1)
  await start({ environment: LOCAL_ENVIRONMENT })
  expect(world.steps.length).toBeGreaterThan(begun)
})

test.each([
  { asks: { changeset: 'overlay' }, code: 'E_CHANGESET_UNKNOWN' },
  { asks: { isolation: 'vm' }, code: 'E_ISOLATION_UNAVAILABLE' },
  { asks: { platform: 'kubernetes' }, code: 'E_PLATFORM_UNAVAILABLE' },
  { asks: { outputs: 'restricted' }, code: 'E_OUTPUTS_UNENFORCEABLE' },
  { asks: { software: 'debian:12' }, code: 'E_SOFTWARE_UNAVAILABLE' },
])('a start that asks for $asks is refused, also where nothing is run', async ({ asks, code }) => {
  const { repository, start } = await makeBoxedWorld()
  const environment = { ...LOCAL_ENVIRONMENT, ...asks }
  await expect(start({ environment, no_start: true })).rejects.toMatchObject({ code })
  expect(existsSync(repository.paths.invocationsDir)).toBe(false)
})

test('an environment is chosen by its name, local without one, and none that does not exist', async () => {
  const { repository } = await makeWorld()
  const asked = { worktree: 'x', mode: 'headless', prompt: 'Go', prompt_source: 'text' } as const
  expect(resolveStart(repository, asked, {}).environment).toEqual(LOCAL_ENVIRONMENT)
  expect(resolveStart(repository, { ...asked, environment: 'local' }, {}).environment).toEqual(
    LOCAL_ENVIRONMENT,
  )
  for (const environment of ['hologram', 'constructor', '']) {
    expect(() => resolveStart(repository, { ...asked, environment }, {})).toThrow(
      expect.objectContaining({
        code: 'E_ENVIRONMENT_UNKNOWN',
        message: `there is no environment '${environment}'; there is local, boxed, offline`,
      }),
    )
  }
})

test.each([
  { own: undefined, theirs: 'boxed', chosen: 'boxed' },
  { own: 'boxed', theirs: 'offline', chosen: 'offline' },
  { own: 'boxed', theirs: 'local', chosen: 'boxed' },
  { own: 'offline', theirs: 'boxed', chosen: 'offline' },
])('a repository that asks for $theirs beside $own gets $chosen: more box, never less', async (row) => {
  const { repository } = await makeWorld()
  const asked = { worktree: 'x', mode: 'headless', prompt: 'Go', prompt_source: 'text' } as const
  const own = row.own === undefined ? {} : { default_environment: row.own }
  const config = { ...own, repository_environment: row.theirs }
  expect(resolveStart(repository, asked, config).environment.name).toBe(row.chosen)
  expect(resolveStart(repository, { ...asked, environment: 'local' }, config).environment.name).toBe('local')
})

const ASKED: readonly { theirs: EnvironmentChanges; chosen: string }[] = [
  { theirs: { isolation: 'os', outputs: 'restricted', allow: ['*'] }, chosen: 'boxed' },
  { theirs: { isolation: 'os', outputs: 'restricted', mounts: ['~/.ssh'] }, chosen: 'boxed' },
  { theirs: { isolation: 'os', outputs: 'restricted', variables: ['TOKEN'] }, chosen: 'boxed' },
  { theirs: { isolation: 'os', outputs: 'restricted', memory: 512 }, chosen: 'theirs' },
]

test.each(ASKED)(
  'what lets in or out more is less box, however it is called: $theirs',
  async ({ theirs, chosen }) => {
    const { repository } = await makeWorld()
    const effects = { ...repository.effects, environments: environmentCatalog({ rows: { theirs } }) }
    const config = { default_environment: 'boxed', repository_environment: 'theirs' }
    const asked = { worktree: 'x', mode: 'headless', prompt: 'Go', prompt_source: 'text' } as const
    expect(resolveStart({ ...repository, effects }, asked, config).environment.name).toBe(chosen)
  },
)

test('single choices change an environment for one start alone', async () => {
  const { repository } = await makeWorld()
  const asked = { worktree: 'x', mode: 'headless', prompt: 'Go', prompt_source: 'text' } as const
  const changes = { outputs: 'none', memory: 512 } as const
  const request = { ...asked, environment: 'boxed', environment_changes: changes }
  expect(resolveStart(repository, request, {}).environment).toMatchObject({ isolation: 'os', ...changes })
  expect(resolveStart(repository, { ...asked, environment: 'boxed' }, {}).environment.outputs).toBe(
    'restricted',
  )
})
