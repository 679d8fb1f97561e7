import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, test } from 'vitest'
import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import { remoteSpawner } from '../../../../src/core/doors/spawner/remote-spawner.ts'
import type { OpenProcess, Spawner, SpawnRequest } from '../../../../src/core/doors/spawner/spawner.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const ENTRY = resolve('dist/spawner.js')
const HERE = { PATH: process.env['PATH'] ?? '' }

const shell = (script: string, more: Partial<SpawnRequest> = {}): SpawnRequest => ({
  file: '/bin/sh',
  args: ['-c', script],
  cwd: '/',
  env: HERE,
  detached: false,
  input: false,
  ...more,
})

const parentOf = async (child: OpenProcess): Promise<number> =>
  Number((await child.ended).stdout.toString('utf8'))

/** A spawner that has taken over from this process. */
async function readySpawner(): Promise<{ start: Spawner; pid: number }> {
  const start = remoteSpawner(ENTRY)
  let pid = process.pid
  await waitUntil(async () => {
    pid = await parentOf(start(shell('echo $PPID')))
    return pid !== process.pid
  })
  return { start, pid }
}

let start: Spawner

beforeAll(async () => {
  start = (await readySpawner()).start
})

test('a program is run with its arguments, its place and its environment, and all that it says comes back', async () => {
  const asked = shell('echo "$0 $WHERE"; pwd; echo wrong >&2; exit 3', {
    args: ['-c', 'echo "$0 $WHERE"; pwd; echo wrong >&2; exit 3', 'a b'],
    cwd: '/usr',
    env: { ...HERE, WHERE: 'somewhere' },
  })
  const end = await start(asked).ended
  expect(end).toMatchObject({ exitCode: 3, code: undefined, signal: undefined })
  expect(end.stdout.toString('utf8')).toBe('a b somewhere\n/usr\n')
  expect(end.stderr.toString('utf8')).toBe('wrong\n')
})

test('what could not be run, and what was ended, is told apart', async () => {
  const missing = start(shell('', { file: '/nowhere/git' }))
  expect(await missing.pid).toBeUndefined()
  expect(await missing.ended).toMatchObject({ exitCode: undefined, code: 'ENOENT' })
  expect(await start(shell('kill -TERM $$')).ended).toMatchObject({ exitCode: undefined, signal: 'SIGTERM' })
})

test('input of any bytes arrives as it is, and so does output', async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 3 << 20 }, (_, at) => (at * 7919) % 256))
  const cat = start(shell('cat', { input: true }))
  cat.write(bytes.subarray(0, 1000))
  cat.end(bytes.subarray(1000))
  expect(bytes.equals((await cat.ended).stdout)).toBe(true)
})

test('a conversation: answers come before the end', async () => {
  const echo = start(shell('while read -r line; do echo "<$line>"; done', { input: true }))
  const answers = createInterface({ input: echo.stdout })[Symbol.asyncIterator]()
  echo.write('one\n')
  expect(await answers.next()).toEqual({ done: false, value: '<one>' })
  echo.write('two\n')
  expect(await answers.next()).toEqual({ done: false, value: '<two>' })
  echo.end()
  expect((await echo.ended).stdout.toString('utf8')).toBe('<one>\n<two>\n')
})

const BY_EITHER = [
  ['here', (request: SpawnRequest) => spawnHere(request)],
  ['by the small process', (request: SpawnRequest) => start(request)],
] as const

test.each(BY_EITHER)('what is started %s is killed where it says more than it may', async (_where, start) => {
  const limits = { mostOutput: 1 << 20, longest: 60_000 }
  const just = start(shell('head -c 1048576 /dev/zero', { limits }))
  expect((await just.ended).stdout).toHaveLength(1 << 20)
  for (const script of ['exec yes', 'yes >&2', 'yes | cat']) {
    const endless = start(shell(script, { limits }))
    expect(await endless.ended).toMatchObject({ exitCode: undefined, code: 'EFBIG', signal: undefined })
    expect((await endless.ended).stdout).toHaveLength(0)
  }
})

test.each(BY_EITHER)(
  'what is started %s is killed where it takes longer than it may',
  async (_where, start) => {
    const limits = { mostOutput: 1 << 20, longest: 1 }
    for (const input of [true, false]) {
      const { ended } = start(shell('exec sleep 60', { limits, input }))
      expect(await ended).toMatchObject({ exitCode: undefined, code: 'ETIMEDOUT', signal: undefined })
    }
  },
)

test('when it is killed, whoever waits is told so, and programs are started here from then on', async () => {
  const { start, pid } = await readySpawner()
  const sleeping = start(shell('exec sleep 60', { input: true }))
  const sleeper = await sleeping.pid
  process.kill(pid, 'SIGKILL')
  expect(await sleeping.ended).toMatchObject({ exitCode: undefined, code: 'EPIPE' })
  expect(await parentOf(start(shell('echo $PPID')))).toBe(process.pid)
  process.kill(sleeper ?? Number.NaN, 'SIGKILL')
})

test('it ends with whoever it works for, and lets go of what waits for a word', async () => {
  const program = await bundleProgram('test/fixtures/spawner-owner.ts')
  const owner = spawn(process.execPath, [program, ENTRY], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(owner.stdout, 'data')
  const [spawner = 0, gate = 0] = String(said).trim().split(' ').map(Number)
  expect([isAlive(spawner), isAlive(gate)]).toEqual([true, true])
  owner.kill('SIGKILL')
  await waitUntil(() => !isAlive(spawner) && !isAlive(gate))
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
