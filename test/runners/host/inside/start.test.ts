import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { hostTitle } from '../../../../src/core/model/invocation.ts'
import { INTEGRATION_MARKER, SANDBOX_MARKER } from '../../../../src/core/model/markers.ts'
import { sandboxPath, showPath } from '../../../../src/core/model/sandbox-path.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { checkSandbox } from '../../../../src/runners/host/inside/sandbox-check.ts'
import { socketPath } from '../../../../src/runners/host/socket/runtime-dir.ts'
import { hostDoor } from '../../../../src/runners/host-client/host-door.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { waitUntil } from '../../../support/run/wait.ts'

/** A host takes the name of its invocation when it knows what it is to run. */
const isReady = (run: TestInvocation): Promise<void> =>
  waitUntil(() => systemProcesses().titleOf(run.pid()) === hostTitle(run.id))

/** Expects that the runner did not run, that nothing of ours is alive, and that the record names no host. */
async function expectRefusal(run: TestInvocation, code: string): Promise<void> {
  await expect(run.launch('touch ran; sleep 100')).rejects.toMatchObject({ code })
  await waitUntil(() => systemProcesses().identityOf(run.pid()) === null)
  expect(existsSync(join(showPath(run.at.tree), 'ran'))).toBe(false)
  expect(await systemProcesses().ofInvocation(run.id, showPath(run.at.tree))).toEqual([])
  expect(run.record().host).toBeNull()
}

test('no runner is executed where the mark of a sandbox is missing', async () => {
  const run = await makeInvocation()
  rmSync(join(showPath(run.at.tree), SANDBOX_MARKER))
  await expectRefusal(run, 'E_SANDBOX_MARKER_MISSING')
})

test('no runner is executed where the mark of a sandbox is a link', async () => {
  const run = await makeInvocation()
  const marker = join(showPath(run.at.tree), SANDBOX_MARKER)
  rmSync(marker)
  symlinkSync('/etc/hostname', marker)
  await expectRefusal(run, 'E_SANDBOX_MARKER_MISSING')
})

test('no runner is executed in an integration tree', async () => {
  const run = await makeInvocation()
  writeFileSync(join(showPath(run.at.tree), INTEGRATION_MARKER), '')
  await expectRefusal(run, 'E_SANDBOX_UNSAFE_PATH')
})

test('no runner is executed where the sandbox is a link to somewhere else', async () => {
  const run = await makeInvocation()
  const elsewhere = join(makeScratch(), 'elsewhere')
  renameSync(showPath(run.at.tree), elsewhere)
  symlinkSync(elsewhere, showPath(run.at.tree))
  await expectRefusal(run, 'E_SANDBOX_UNSAFE_PATH')
})

test('no runner is executed in a path that the record names but is not its own sandbox', async () => {
  const run = await makeInvocation()
  const { root } = run.repository.record
  const record = readFileSync(run.at.meta, 'utf8')
  await updateInvocation(run.repository.paths, run.id, { sandbox_path: sandboxPath(root) })
  await expect(run.launch('touch ran; sleep 100')).rejects.toMatchObject({ code: 'E_RECORD_UNREADABLE' })
  writeFileSync(run.at.meta, record)
  for (const tree of [root, showPath(run.at.tree)]) {
    expect(existsSync(join(tree, 'ran'))).toBe(false)
    expect(await systemProcesses().ofInvocation(run.id, tree)).toEqual([])
  }
})

/** Puts a link to another tree at the sandbox's path. Returns where the sandbox is now. */
function exchange({ at, repository }: TestInvocation): string {
  const aside = `${at.tree}-aside`
  renameSync(showPath(at.tree), aside)
  symlinkSync(repository.record.root, showPath(at.tree))
  return aside
}

test('no runner is executed in a tree that is put in the place of its sandbox while the host makes ready', async () => {
  const run = await makeInvocation()
  const host = await run.prepare('touch ran; sleep 100')
  await isReady(run)
  exchange(run)
  await expect(host.launch()).rejects.toMatchObject({ code: 'E_SANDBOX_UNSAFE_PATH' })
  expect(existsSync(join(run.repository.record.root, 'ran'))).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'what was checked is where a runner goes, whatever is put in its place after the check',
  async () => {
    const run = await makeInvocation()
    const { cwd } = checkSandbox(run.repository.paths, run.record())
    const aside = exchange(run)
    execFileSync('/bin/sh', ['-c', 'touch ran'], { cwd })
    expect(existsSync(join(run.repository.record.root, 'ran'))).toBe(false)
    expect(existsSync(join(aside, 'ran'))).toBe(true)
  },
)

test('an invocation is started once', async () => {
  const run = await makeInvocation()
  await updateInvocation(run.repository.paths, run.id, { status: 'running' })
  await expectRefusal(run, 'E_HOST_FAILED')
})

for (const mode of ['headless', 'headed'] as const) {
  test(`a ${mode} runner that cannot be executed is an error with its reason`, async () => {
    const run = await makeInvocation()
    mkdirSync(join(showPath(run.at.tree), 'dir'))
    const launch = (file: string) => run.launch('', { mode, plan: { argv: [file] } })
    await expect(launch('/nowhere/at/all')).rejects.toMatchObject({ code: 'E_RUNNER_START_FAILED' })
    await expect(launch(join(showPath(run.at.tree), 'dir'))).rejects.toThrow(/not a file/)
    await expect(launch(join(showPath(run.at.tree), 'README.md'))).rejects.toThrow(/EACCES|permission/)
    expect(run.record().status).toBe('starting')
  })
}

test('a host that is abandoned ends and leaves nothing', async () => {
  const run = await makeInvocation()
  const host = await run.door.boot()
  await waitUntil(() => systemProcesses().identityOf(host.pid) !== null)
  host.abandon()
  await waitUntil(() => systemProcesses().identityOf(host.pid) === null)
  expect(existsSync(run.at.logsDir)).toBe(false)
})

test('a host that is ready and never told to go runs nothing and leaves nothing', async () => {
  const run = await makeInvocation()
  const host = await run.prepare('touch ran')
  await isReady(run)
  host.abandon()
  await waitUntil(() => systemProcesses().identityOf(host.pid) === null)
  expect(existsSync(join(showPath(run.at.tree), 'ran'))).toBe(false)
  expect(existsSync(run.at.logsDir)).toBe(false)
  const names = readdirSync(dirname(socketPath(process.env, run.repository.record.repo_id, run.id)))
  expect(names.filter((name) => name.includes(run.id))).toEqual([])
})

test('a host that dies before it answers is an error with its last words', async () => {
  const dir = makeScratch()
  const entry = join(dir, 'host.mjs')
  writeFileSync(entry, 'console.error("no memory left"); process.exit(9)')
  const run = await makeInvocation()
  const host = await hostDoor(entry).boot()
  host.prepare({ plan: {} } as never)
  await expect(host.launch()).rejects.toMatchObject({
    code: 'E_HOST_FAILED',
    message: expect.stringMatching(/exited with code 9 .*\nno memory left/),
  })
  expect(readdirSync(run.at.dir)).toEqual(['meta.json'])
})

test('asking a host that is gone is an error that says so', async () => {
  const { door } = await makeInvocation()
  const nowhere = join(makeScratch(), 'socket')
  await expect(door.end(nowhere, 'stop')).rejects.toMatchObject({ code: 'E_HOST_GONE' })
  await expect(door.send(nowhere, Buffer.from('x'))).rejects.toMatchObject({ code: 'E_HOST_GONE' })
})
