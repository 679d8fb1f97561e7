import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withLock } from '../../../../src/core/doors/system/lock.ts'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import type { StreamEvent } from '../../../../src/core/model/stream-event.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const said = (run: TestInvocation): StreamEvent[] =>
  run
    .log('stream')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StreamEvent)

test('a run is recorded from its start to its end', async () => {
  const run = await makeInvocation()
  const seen = join(makeScratch(), 'seen')
  const untilSeen = `until [ -e '${seen}' ]; do sleep 0.02; done`
  await run.launch(`read line; echo "out $line"; echo err >&2; ${untilSeen}; exit 3`, {
    prompt: 'do it',
    plan: { stdin: 'fed\n', runner_session_id: 'session-1' },
  })
  expect(run.record()).toMatchObject({ status: 'running', runner_session_id: 'session-1' })
  writeFileSync(seen, '')
  const ended = await run.untilEnded()
  expect(ended).toMatchObject({
    status: 'failed',
    exit_reason: 'exited',
    exit_code: 3,
    exit_signal: null,
    landing_status: 'pending',
    host: { pid: run.pid() },
  })
  expect(ended.last_output_at).not.toBeNull()
  expect(run.log('raw')).toBe('out fed\n')
  expect(run.log('stderr')).toBe('err\n')
  expect(said(run)[0]).toMatchObject({ kind: 'prompt', text: 'do it' })
  expect(said(run)).toHaveLength(3)
  expect(run.events().map((event) => event.kind)).toEqual(['started', 'ended'])
  expect(existsSync(run.socket())).toBe(false)
})

test('a runner that ends by a signal is recorded with its name', async () => {
  const run = await makeInvocation()
  await run.launch('kill -TERM $$')
  expect(await run.untilEnded()).toMatchObject({ status: 'failed', exit_code: null, exit_signal: 'SIGTERM' })
})

test('the record can be read while it runs, and its socket is private', async () => {
  const run = await makeInvocation()
  await run.launch('echo up; read never < /dev/null; sleep 100')
  const record = run.record()
  expect(record.status).toBe('running')
  expect(systemProcesses().identityOf(record.pid ?? 0)).not.toBeNull()
  expect(statSync(run.socket()).mode & 0o777).toBe(0o600)
  expect(statSync(join(run.socket(), '..')).mode & 0o777).toBe(0o700)
  expect(await run.door.end(run.socket(), 'kill')).toBe(true)
})

test('output reaches /dev/stdout and /dev/stderr by name too', async () => {
  const run = await makeInvocation()
  await run.launch('echo a > /dev/stdout; echo b > /dev/stderr; cat /dev/stdin', { plan: { stdin: 'c' } })
  await run.untilEnded()
  expect(run.log('raw')).toBe('a\nc')
  expect(run.log('stderr')).toBe('b\n')
})

test('a megabyte on standard input arrives whole', async () => {
  const run = await makeInvocation()
  await run.launch('wc -c', { plan: { stdin: 'x'.repeat(1 << 20) } })
  await run.untilEnded()
  expect(run.log('raw').trim()).toBe(String(1 << 20))
})

test('bytes are logged verbatim, and a line without end is cut in the transcript only', async () => {
  const run = await makeInvocation()
  await run.launch(`printf 'a\\377\\n'; head -c 30000000 /dev/zero | tr '\\0' x; printf 'last'`)
  await run.untilEnded()
  expect(statSync(run.at.raw).size).toBe(3 + 30_000_000 + 4)
  expect(readFileSync(run.at.raw).subarray(0, 3)).toEqual(Buffer.from([0x61, 0xff, 0x0a]))
  expect(said(run)).toMatchObject([
    { kind: 'output', text: 'a\ufffd' },
    { kind: 'output', text: expect.stringMatching(/^x{2000} \[line of 30000004 bytes, cut here/) },
  ])
})

test('the runner finds the person’s environment without ours, in its own sandbox', async () => {
  const run = await makeInvocation()
  const before = { ...process.env }
  onTestFinished(() => {
    process.env = before
  })
  Object.assign(process.env, {
    GIT_DIR: '/elsewhere',
    GIT_INDEX_FILE: '/elsewhere/index',
    AGENCY_SECRET: 'x',
    MALLOC_ARENA_MAX: '7',
    NODE_OPTIONS: '--no-deprecation',
    NODE_EXTRA_CA_CERTS: '/their/own.pem',
    PERSONAL: 'kept',
  })
  await run.launch('env; pwd -P', { plan: { env: { PLANNED: 'yes' } } })
  process.env = before
  await run.untilEnded()
  const lines = run.log('raw').split('\n')
  expect(lines.filter((line) => /^(GIT_|AGENCY_)/.test(line)).sort()).toEqual([
    `AGENCY_INVOCATION_ID=${run.id}`,
    `AGENCY_SANDBOX=${run.at.tree}`,
  ])
  expect(lines).toEqual(expect.arrayContaining(['PERSONAL=kept', 'PLANNED=yes', 'MALLOC_ARENA_MAX=7']))
  expect(lines).toEqual(expect.arrayContaining(['NODE_OPTIONS=--no-deprecation', run.at.tree]))
  expect(lines).toContain('NODE_EXTRA_CA_CERTS=/their/own.pem')
})

test('nothing that was printed is lost when the host is killed', async () => {
  const run = await makeInvocation()
  await run.launch('i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; touch printed; sleep 100')
  await waitUntil(() => existsSync(join(showPath(run.at.tree), 'printed')))
  await waitUntil(() => run.log('raw').endsWith('line 1999\n'))
  await waitUntil(() => /line 1999.*\n$/.test(run.log('stream')))
  process.kill(run.pid(), 'SIGKILL')
  expect(run.log('raw').split('\n')).toHaveLength(2001)
  expect(run.log('stream')).toMatch(/line 1999.*\n$/)
  expect(run.record().status).toBe('running')
})

test('what the runner left behind is ended before its outcome is recorded', async () => {
  const run = await makeInvocation()
  await run.launch(`(setsid sh -c 'trap "" TERM; sleep 100 & : > ready; wait' >/dev/null 2>&1 &)
    while [ ! -e ready ]; do sleep 0.01; done; exit 0`)
  await run.untilEnded()
  expect(await systemProcesses().ofInvocation(run.id, showPath(run.at.tree))).toEqual([])
  expect(run.events().at(-1)).toMatchObject({ kind: 'ended', left_behind: 2 })
  expect(run.record()).toMatchObject({ status: 'finished', exit_code: 0 })
})

test('the outcome waits for the lock of the repository', async () => {
  const run = await makeInvocation()
  await run.launch('while [ ! -e go ]; do sleep 0.01; done')
  const doors = { processes: systemProcesses(), clock: systemClock }
  await withLock(run.repository.paths.lock, doors, async () => {
    writeFileSync(join(showPath(run.at.tree), 'go'), '')
    await waitUntil(
      async () => (await doors.processes.ofInvocation(run.id, showPath(run.at.tree))).length === 0,
    )
    expect(run.record().status).toBe('running')
  })
  expect((await run.untilEnded()).status).toBe('finished')
})

test('a full disk costs output and not the run', async ({ skip }) => {
  const dir = join(makeScratch(), 'small')
  mkdirSync(dir)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', dir], { stdio: 'pipe' })
  } catch {
    return skip('mounting a small file system is not allowed here')
  }
  onTestFinished(() => void execFileSync('umount', ['-l', dir]))
  const run = await makeInvocation(join(dir, 'data'))
  writeFileSync(join(dir, 'ballast'), Buffer.alloc(1 << 20))
  const scratch = makeScratch()
  const [launched, filled] = [join(scratch, 'launched'), join(scratch, 'filled')]
  await run.launch(`until [ -e '${launched}' ]; do sleep 0.01; done
    head -c 6000000 /dev/zero | base64; touch '${filled}'; exit 5`)
  writeFileSync(launched, '')
  await waitUntil(() => existsSync(filled))
  await waitUntil(
    async () => (await systemProcesses().ofInvocation(run.id, showPath(run.at.tree))).length === 0,
  )
  expect(run.record().status).toBe('running')
  rmSync(join(dir, 'ballast'))
  expect(await run.untilEnded()).toMatchObject({ status: 'failed', exit_code: 5 })
  expect(run.events().map((event) => event.kind)).toEqual(['started', 'log_gap', 'ended'])
})
