import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseProcStat } from '../../../../src/core/doors/system/proc-table.ts'
import { type ProcessRow, selectOfInvocation } from '../../../../src/core/doors/system/process-table.ts'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { parsePs } from '../../../../src/core/doors/system/ps-table.ts'
import { makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { waitUntil } from '../../../support/run/wait.ts'

/** No other run of these tests on this machine has the same: each ends whatever it finds by its id. */
const ID = `20240101000000-${randomBytes(8).toString('hex')}`
const processes = systemProcesses()

/** Starts a shell that belongs to the invocation. Background processes of the script write their pids to files. */
function startAgent(cwd: string, script: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], {
    cwd,
    env: { ...process.env, AGENCY_INVOCATION_ID: ID, ...env },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    processes.signal(await processes.ofInvocation(ID, cwd), 'SIGKILL')
    child.kill('SIGKILL')
  })
  return child
}

async function readPid(path: string): Promise<number> {
  await waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'))
  return Number(readFileSync(path, 'utf8'))
}

const pidsOf = async (tree: string): Promise<number[]> =>
  (await processes.ofInvocation(ID, tree)).map((found) => found.pid)

test('a process is known by its pid and its start time together', () => {
  const self = processes.self
  expect(self.pid).toBe(process.pid)
  expect(processes.isAlive(self)).toBe(true)
  expect(processes.isAlive({ ...self, start_time: `${self.start_time}0` })).toBe(false)
  expect(processes.identityOf(2 ** 30)).toBeNull()
})

test('a process that has ended but was not reaped by its parent is not alive', async () => {
  const scratch = makeScratch()
  const parent = startAgent(scratch, 'sh -c "echo \\$\\$ > child" & exec sleep 100')
  const pid = await readPid(join(scratch, 'child'))
  await waitUntil(() => processes.identityOf(pid) === null)
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  parent.kill('SIGKILL')
})

test('a signal does not reach a process that merely got the same pid', async () => {
  const scratch = makeScratch()
  const child = startAgent(scratch, 'echo $$ > pid; exec sleep 100')
  const pid = await readPid(join(scratch, 'pid'))
  processes.signal([{ pid, start_time: 'of another' }], 'SIGKILL')
  const identity = processes.identityOf(pid)
  expect(identity).not.toBeNull()
  processes.signal(identity === null ? [] : [identity], 'SIGKILL')
  await waitUntil(() => child.signalCode === 'SIGKILL')
})

test('descendants are found that left the group, the session and the parent', async () => {
  const scratch = makeScratch()
  startAgent(
    scratch,
    `setsid sh -c 'echo $$ > session; exec sleep 100' &
     (nohup sh -c 'echo $$ > orphan; exec sleep 100' >/dev/null 2>&1 &)
     (setsid sh -c '(sh -c "$FORKED" &)' &)
     exec sleep 100`,
    { FORKED: 'echo $$ > forked; cd /; exec sleep 100' },
  )
  const expected = await Promise.all(
    ['session', 'orphan', 'forked'].map((name) => readPid(join(scratch, name))),
  )
  expect(await pidsOf(scratch)).toEqual(expect.arrayContaining(expected))
})

test('a process that becomes one program after the other is found each time', async () => {
  const scratch = makeScratch()
  const chain = join(scratch, 'chain')
  writeFileSync(chain, '#!/bin/sh\ncd /; [ -s "$PLACE" ] || echo $$ > "$PLACE"; exec "$0"\n', { mode: 0o755 })
  startAgent(scratch, `(setsid "${chain}" &)`, { PLACE: join(scratch, 'pid') })
  const pid = await readPid(join(scratch, 'pid'))
  for (let look = 0; look < 100; look++) expect(await pidsOf(scratch)).toContain(pid)
})

test('a process without the mark is found by its parent, and by where it works when its environment was wiped', async () => {
  const scratch = makeScratch()
  startAgent(
    scratch,
    `cd /; env -u AGENCY_INVOCATION_ID sh -c 'echo $$ > "$0"; exec sleep 100' "${scratch}/child" &
     (cd "${scratch}"; env -i setsid sh -c 'echo $$ > wiped; exec sleep 100' &)
     exec sleep 100`,
  )
  const expected = await Promise.all(['child', 'wiped'].map((name) => readPid(join(scratch, name))))
  expect(await pidsOf(scratch)).toEqual(expect.arrayContaining(expected))
})

test("a person's own shell in the sandbox is not the agent's", async () => {
  const scratch = makeScratch()
  const child = spawn('/bin/sh', ['-c', 'echo $$ > own; exec sleep 100'], { cwd: scratch })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = await readPid(join(scratch, 'own'))
  expect(await pidsOf(scratch)).not.toContain(pid)
})

test('whoever asks is never among those found', () => {
  const row = (pid: number, ppid: number, invocation_id: string | null): ProcessRow => ({
    pid,
    ppid,
    start_time: '1',
    invocation_id,
    wiped_cwd: null,
  })
  const rows = [row(10, 1, ID), row(11, 10, ID), row(12, 11, null), row(20, 1, 'another'), row(21, 1, null)]
  const chosen = selectOfInvocation(rows, { invocationId: ID, treePath: '/tree', self: 11 })
  expect(chosen.map((found) => found.pid)).toEqual([10, 12])
})

test('the fields of /proc/PID/stat begin behind the last parenthesis', () => {
  const rest = Array.from({ length: 19 }, (_, index) => String(index)).join(' ')
  expect(parseProcStat(`7 (x) S 1 (y)) S 42 0 0 0 0 0 ${rest}\n`)).toEqual({ ppid: 42, start_time: '12' })
  expect(parseProcStat(`7 (x) Z 42 0 0 0 0 0 ${rest}\n`)).toBeNull()
  expect(parseProcStat(`7 (kworker) I 2 0 0 0 -1 2129984 ${rest}\n`)).toBeNull()
})

test('the table that ps prints is read with its spaces and dates', () => {
  const output = [
    '    1     0 Ss   Thu Nov 21 22:37:01 2024     /sbin/launchd',
    `  501     1 S+   Fri Nov  1 02:03:04 2024     node a.js HOME=/x AGENCY_INVOCATION_ID=${ID} A=b`,
    '  502   501 Z    Fri Nov  1 02:03:04 2024     (sh)',
    '',
  ].join('\n')
  expect(parsePs(output)).toEqual([
    {
      pid: 1,
      ppid: 0,
      start_time: 'Thu Nov 21 22:37:01 2024',
      invocation_id: null,
      wiped_cwd: null,
    },
    { pid: 501, ppid: 1, start_time: 'Fri Nov 1 02:03:04 2024', invocation_id: ID, wiped_cwd: null },
  ])
})

test('a directory is deleted in the background, read-only directories and odd names too', async () => {
  const path = join(makeScratch(), "-rf $(touch 'x') é")
  writeFiles(path, { 'cache/file': 'x' })
  mkdirSync(join(path, 'empty'), { mode: 0o500 })
  processes.deleteLater(path)
  await waitUntil(() => !existsSync(path))
})
