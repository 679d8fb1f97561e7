import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { createEnding, type Ending, STOP_GRACE } from '../../../../src/runners/host/inside/ending.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const nobody = async (run: TestInvocation): Promise<void> =>
  expect(await systemProcesses().ofInvocation(run.id, showPath(run.at.tree))).toEqual([])

const ready = (run: TestInvocation): Promise<void> =>
  waitUntil(() => existsSync(join(showPath(run.at.tree), 'ready')), { what: 'the runner is ready' })

interface Imagined {
  readonly ending: Ending
  /** Signals, each with the time in milliseconds at which it was sent. */
  readonly sent: [number, NodeJS.Signals][]
}

/** Processes that only the signals in `mortal` end, and a clock that moves on when somebody waits for it. */
function imagine(mortal: readonly NodeJS.Signals[], headed = false): Imagined {
  let time = 0
  let alive = true
  const sent: [number, NodeJS.Signals][] = []
  const ending = createEnding({
    processes: {
      count: async () => (alive ? 1 : 0),
      signal: async (signal) => {
        if (!alive) return 0
        sent.push([time, signal])
        if (mortal.includes(signal)) {
          alive = false
          ending.settle()
        }
        return 1
      },
    },
    clock: {
      now: () => new Date(0),
      elapsed: () => time,
      sleep: async (milliseconds) => {
        await new Promise((resolve) => setImmediate(resolve))
        time += milliseconds
      },
    },
    headed,
  })
  return { ending, sent }
}

test('stop asks with SIGINT and, when that was heard, nothing more', async () => {
  const { ending, sent } = imagine(['SIGINT'])
  expect(await ending.request('stop')).toBe(true)
  expect(sent).toEqual([[0, 'SIGINT']])
  expect(ending.asked()).toBe('stop')
})

test('stop asks again with SIGTERM after five seconds', async () => {
  const { ending, sent } = imagine(['SIGTERM'])
  expect(await ending.request('stop')).toBe(true)
  expect(sent).toEqual([
    [0, 'SIGINT'],
    [STOP_GRACE, 'SIGTERM'],
  ])
})

test('a shell on a terminal, which ignores both, is told that its terminal is gone', async () => {
  const { ending, sent } = imagine(['SIGHUP'], true)
  expect(await ending.request('stop')).toBe(true)
  expect(sent.map(([, signal]) => signal)).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP'])
})

test('stop says so when the runner outlived it, and does not kill', async () => {
  const { ending, sent } = imagine([])
  expect(await ending.request('stop')).toBe(false)
  expect(sent.map(([, signal]) => signal)).toEqual(['SIGINT', 'SIGTERM'])
})

test('a kill outranks a stop that is under way', async () => {
  const { ending } = imagine(['SIGKILL'])
  const stopped = ending.request('stop')
  expect(await ending.request('kill')).toBe(true)
  expect(await stopped).toBe(true)
  expect(ending.asked()).toBe('kill')
})

test('kill says so when a process cannot be killed', async () => {
  expect(await imagine([]).ending.request('kill')).toBe(false)
})

test('what was left behind is asked first and killed after a second', async () => {
  const { ending, sent } = imagine(['SIGKILL'])
  expect(await ending.sweep()).toBe(1)
  expect(sent.map(([, signal]) => signal)).toEqual(['SIGTERM', 'SIGKILL'])
})

test('a runner that hears SIGINT is stopped at once', async () => {
  const run = await makeInvocation()
  await run.launch('trap "exit 0" INT; touch ready; while :; do sleep 0.01; done')
  await ready(run)
  expect(await run.door.end(run.socket(), 'stop')).toBe(true)
  expect(await run.untilEnded()).toMatchObject({ status: 'finished', exit_reason: 'stopped' })
  await nobody(run)
})

test('a runner that ignores SIGINT is ended by SIGTERM, and the interactive shell of a terminal by SIGHUP', async () => {
  const deaf = await makeInvocation()
  const shell = await makeInvocation()
  await deaf.launch('trap "" INT; touch ready; while :; do sleep 0.05; done')
  await shell.launch('', { mode: 'headed', plan: { argv: ['/bin/bash', '--norc', '-i'] } })
  await ready(deaf)
  await shell.door.send(shell.socket(), Buffer.from('touch ready\r'))
  await ready(shell)
  const answers = [deaf, shell].map((run) => run.door.end(run.socket(), 'stop'))
  expect(await Promise.all(answers)).toEqual([true, true])
  expect(await deaf.untilEnded()).toMatchObject({ exit_signal: 'SIGTERM' })
  expect(await shell.untilEnded()).toMatchObject({ finished_at: expect.any(String) })
  await nobody(deaf)
  await nobody(shell)
})

test('kill reaches those that left the group and ignore everything else', async () => {
  const run = await makeInvocation()
  await run.launch(`trap "" INT TERM HUP
    (setsid sh -c '(setsid sleep 100 &) ; sleep 100' &) ; nohup sleep 100 >/dev/null 2>&1 &
    (env -i setsid sleep 100 &) ; touch ready; while :; do sleep 0.05; done`)
  await ready(run)
  expect(await run.door.end(run.socket(), 'kill')).toBe(true)
  expect(run.record()).toMatchObject({ status: 'failed', exit_reason: 'killed', exit_signal: 'SIGKILL' })
  await nobody(run)
})

test('shutting the machine down ends the runner in order', async () => {
  const run = await makeInvocation()
  await run.launch('touch ready; sleep 100', { mode: 'headed' })
  await ready(run)
  process.kill(run.pid(), 'SIGTERM')
  expect(await run.untilEnded()).toMatchObject({ exit_reason: 'stopped' })
})

test('shutting the machine down while the runner starts ends it too, and the record says so', async () => {
  const run = await makeInvocation()
  await run.repository.locked(async () => {
    // The host has started the runner, and waits for the lock to say so in the record.
    run.launch('touch ready; sleep 100').catch(() => {})
    await ready(run)
    process.kill(run.pid(), 'SIGTERM')
  })
  expect(await run.untilEnded()).toMatchObject({ exit_reason: 'stopped' })
  await nobody(run)
})
