import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import { awaitWorking, STUCK } from '../../../../src/core/doors/system/idle-watch.ts'
import { readProcWork } from '../../../../src/core/doors/system/proc-table.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const run = (script: string, cwd = '/') =>
  spawnHere({
    file: '/bin/sh',
    args: ['-c', script],
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
    detached: false,
    input: false,
  })

const PATIENCE = { idle: 2000, blind: 600_000 }
const LOOP = 'i=0; while [ $i -lt 800000 ]; do i=$((i+1)); done'
const onLinux = process.platform === 'linux' ? test.concurrent : test.skip

onLinux.each([
  ['in a pipe that nobody writes', 'read -r line <pipe'],
  ['for a program that waits in a pipe', 'cat pipe; :'],
  ['while it is stopped', 'kill -STOP $$'],
])(
  'a program that waits %s is ended, with all that it has started',
  async (_where: string, script: string) => {
    const cwd = makeScratch()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const open = run(script, cwd)
    const pid = (await open.pid) ?? 0
    expect(await awaitWorking(open, PATIENCE)).toMatchObject({ exitCode: undefined, code: STUCK })
    await waitUntil(() => readProcWork(pid) === null)
  },
)

onLinux.each([
  ['computes', `${LOOP}; exit 7`],
  ['waits for a program that computes', `sh -c '${LOOP}'; exit 7`],
])('a program that %s may take as long as it takes', async (_what: string, script: string) => {
  expect(await awaitWorking(run(script), { ...PATIENCE, idle: 1000 })).toMatchObject({ exitCode: 7 })
})

onLinux('a program that waits for one that may wait for a network may rest', async () => {
  const patience = { ...PATIENCE, idle: 1000, own: 'sh' }
  expect(await awaitWorking(run('sleep 4; exit 7'), patience)).toMatchObject({ exitCode: 7 })
})

test.concurrent('a program that nobody asks for anything may rest', async () => {
  expect(await awaitWorking(run('sleep 4; exit 7'), { ...PATIENCE, idle: 1000 }, () => false)).toMatchObject({
    exitCode: 7,
  })
})
