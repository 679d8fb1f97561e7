import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { type Environment, LOCAL_ENVIRONMENT } from '../../../../src/core/model/environment.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { socketPath } from '../../../../src/runners/host/socket/runtime-dir.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const BOXED = { platform: 'noting', isolation: 'env' }

let boxedHost: string

beforeAll(async () => {
  boxedHost = await bundleProgram('test/fixtures/boxed-host.ts')
})

/** An invocation whose record names this environment. */
async function recorded(changes: Partial<Environment>, hostEntry?: string): Promise<TestInvocation> {
  const run = await makeInvocation(join(makeScratch(), 'data'), hostEntry)
  const environment = { ...LOCAL_ENVIRONMENT, name: 'boxed', ...changes }
  await updateInvocation(run.repository.paths, run.id, { environment })
  return run
}

const treeOf = (run: TestInvocation): string => showPath(run.at.tree)

/** What the platform was asked to do. A process may get the same signal again while it ends, which counts once. */
const asked = (run: TestInvocation): string[] =>
  readFileSync(join(run.at.sandboxDir, 'asked.log'), 'utf8')
    .trim()
    .split('\n')
    .filter((words, at, all) => words !== all[at - 1])

const environmentOf = (output: string): string[] =>
  output
    .split(/\r?\n/)
    .filter((line) => /^(BOXED|PWD|AGENCY_SANDBOX|GREETING)=/.test(line))
    .sort()

test('what is started is the plan as the box wraps it, in the sandbox, and told the paths of the inside', async () => {
  const run = await recorded(BOXED, boxedHost)
  await run.launch('', { plan: { argv: ['/usr/bin/env'], env: { GREETING: 'hi' } } })
  expect((await run.untilEnded()).exit_code).toBe(0)
  const inside = `/inside${treeOf(run)}`
  expect(environmentOf(run.log('raw'))).toEqual([
    `AGENCY_SANDBOX=${inside}`,
    'BOXED=1',
    'GREETING=hi',
    `PWD=${inside}`,
  ])
  expect(asked(run)).toEqual(['open', 'start /usr/bin/env', 'close'])
})

test('so it is on a terminal', async () => {
  const run = await recorded(BOXED, boxedHost)
  await run.launch('', { mode: 'headed', plan: { argv: ['/usr/bin/env'] } })
  await run.untilEnded()
  expect(run.log('cast')).toContain('BOXED=1')
  expect(run.log('cast')).toContain(`AGENCY_SANDBOX=/inside${treeOf(run)}`)
  expect(asked(run)).toEqual(['open', 'start /usr/bin/env on a terminal', 'close'])
})

test('the host and the runner meet in the sandbox, however it is called inside', async () => {
  const run = await recorded(BOXED, boxedHost)
  await run.launch('echo made > here')
  await run.untilEnded()
  expect(readFileSync(join(treeOf(run), 'here'), 'utf8')).toBe('made\n')
})

test('a runner is ended by its platform, and the box is closed after it', async () => {
  const run = await recorded(BOXED, boxedHost)
  await run.launch('touch ready; exec sleep 100')
  await waitUntil(() => existsSync(join(treeOf(run), 'ready')), { what: 'the runner is ready' })
  expect(await run.door.end(run.socket(), 'kill')).toBe(true)
  expect(await run.untilEnded()).toMatchObject({ exit_reason: 'killed' })
  expect(asked(run)).toEqual(['open', 'start /usr/bin/env', 'SIGKILL', 'close'])
})

test.each(['headless', 'headed'] as const)(
  'where what the box starts cannot be executed, a %s start fails and the box is closed',
  async (mode) => {
    const run = await recorded({ ...BOXED, isolation: 'missing' }, boxedHost)
    await expect(run.launch('touch ran', { mode })).rejects.toMatchObject({ code: 'E_RUNNER_START_FAILED' })
    await waitUntil(() => systemProcesses().identityOf(run.pid()) === null)
    expect(asked(run).map((words) => words.split(' ')[0])).toEqual(['open', 'start', 'close'])
  },
)

test('a host that cannot listen ends what it has started, and then closes the box', async () => {
  const run = await recorded(BOXED, boxedHost)
  const inTheWay = socketPath(process.env, run.repository.record.repo_id, run.id)
  mkdirSync(inTheWay, { recursive: true })
  onTestFinished(() => rmSync(inTheWay, { recursive: true }))
  await expect(run.launch('sleep 100')).rejects.toMatchObject({ code: 'E_HOST_FAILED' })
  await waitUntil(() => systemProcesses().identityOf(run.pid()) === null)
  expect(asked(run)).toEqual(['open', 'start /usr/bin/env', 'SIGKILL', 'close'])
  expect(await systemProcesses().ofInvocation(run.id, treeOf(run))).toEqual([])
})

test('a box that does not open is an error with its reason, and nothing is started', async () => {
  const run = await recorded({ ...BOXED, isolation: 'shut' }, boxedHost)
  await expect(run.launch('touch ran')).rejects.toMatchObject({
    code: 'E_ISOLATION_UNAVAILABLE',
    message: 'the box does not open',
  })
  expect(existsSync(join(treeOf(run), 'ran'))).toBe(false)
})

test.each([
  { asks: { isolation: 'vm' }, code: 'E_ISOLATION_UNAVAILABLE' },
  { asks: { isolation: 'constructor' }, code: 'E_ISOLATION_UNAVAILABLE' },
  { asks: { platform: 'kubernetes' }, code: 'E_PLATFORM_UNAVAILABLE' },
  { asks: { outputs: 'none' }, code: 'E_OUTPUTS_UNENFORCEABLE' },
  { asks: { memory: 512 }, code: 'E_LIMIT_UNENFORCEABLE' },
  { asks: { software: 'debian:12' }, code: 'E_SOFTWARE_UNAVAILABLE' },
])(
  'a record that asks for $asks is refused by the host, which starts nothing in a lesser box',
  async (row) => {
    const run = await recorded(row.asks)
    await expect(run.launch('touch ran; sleep 100')).rejects.toMatchObject({ code: row.code })
    await waitUntil(() => systemProcesses().identityOf(run.pid()) === null)
    expect(existsSync(join(treeOf(run), 'ran'))).toBe(false)
    expect(run.record()).toMatchObject({ status: 'starting', host: null })
  },
)
