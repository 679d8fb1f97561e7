// The real claude and codex on terminals of their own: joined, answered, spoken to, left and ended. Their homes are
// new, so each first asks what it asks every person. Keys answer it.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogPaths } from '../../src/core/facade/agency.ts'
import { type InvocationData, PROGRAM } from '../support/processes/cli.ts'
import { type OuterTerminal, openTerminal } from '../support/processes/outer-terminal.ts'
import { processesWith } from '../support/processes/processes.ts'
import { waitUntil } from '../support/run/wait.ts'
import { HEADED } from './headed-clis.ts'
import { type MockLlm, startMockLlm } from './mock-llm.ts'
import { MOCK_PROGRAM, REAL_CLIS, reasonToSkip } from './real-clis.ts'
import { makeRealDesk, type RealDesk } from './real-desk.ts'

let mock: MockLlm
beforeAll(async () => {
  if (REAL_CLIS.some((row) => reasonToSkip(row) === null)) mock = await startMockLlm(MOCK_PROGRAM)
})
afterAll(() => mock?.stop())

describe.each(REAL_CLIS)('$runner.name', (cli) => {
  const reason = reasonToSkip(cli)
  if (reason !== null) return test.skip(`skipped: ${reason}`)
  const name = cli.runner.name as keyof typeof HEADED
  const headed = HEADED[name]

  const makeDesk = async (): Promise<RealDesk> => {
    const desk = await makeRealDesk(cli, mock, (scratch) => ({ HOME: join(scratch, 'home') }))
    mkdirSync(desk.env['HOME'] ?? '')
    headed.prepare(desk.env['HOME'] ?? '')
    return desk
  }
  const run = (desk: RealDesk, ...args: readonly string[]): OuterTerminal =>
    openTerminal(process.execPath, [PROGRAM, '-C', desk.root, ...args], { ...process.env, ...desk.env })
  const startArgs = ['agent', 'start', '--worktree', 'feature', '--runner', name]
  const detached = async (desk: RealDesk, ...args: readonly string[]): Promise<string> =>
    (await desk.data<{ invocation: InvocationData }>(...startArgs, ...args, '--detached')).invocation
      .invocation_id

  test('comes up with its prompt, takes what is sent, goes on alone, and stops without a trace', async () => {
    const desk = await makeDesk()
    const id = await detached(desk, '--prompt', 'Say hello [[scenario:hello]]')
    const terminal = run(desk, 'agent', 'attach', id)
    await headed.answer(terminal)
    await terminal.shows('Hello from the mock model.')
    await desk.data('agent', 'send', id, 'and then')
    await terminal.shows('follow-up received: and then')
    terminal.type('\x1c')
    expect((await terminal.ended).exitCode).toBe(0)

    await desk.data('agent', 'send', id, 'one\ntwo')
    const again = run(desk, 'agent', 'attach', id)
    await again.shows('follow-up received: one')
    expect(again.screen()).toContain('follow-up received: and then')

    expect((await desk.run(['agent', 'stop', id])).exitCode).toBe(0)
    expect((await again.ended).exitCode).toBe(0)
    const record = await desk.show(id)
    expect(record).toMatchObject({ status: 'finished', exit_reason: 'stopped', pid: null, failure: null })
    expect(record).toMatchObject(headed.stopped)
    const { paths } = await desk.data<{ paths: LogPaths }>('agent', 'logs', id)
    const cast = readFileSync(paths.cast, 'utf8')
    expect(JSON.parse(cast.slice(0, cast.indexOf('\n')))).toMatchObject({ version: 2 })
    const read = (await desk.run(['agent', 'logs', id])).stdout
    expect(read).toContain('Hello from the mock model.')
    expect(read).toContain('follow-up received: one')
    // No daemon of the CLI is left either.
    await waitUntil(() => processesWith('XDG_RUNTIME_DIR', desk.scratch).length === 0)
  })

  test('started and left in its own way, in one terminal', async () => {
    const desk = await makeDesk()
    const terminal = run(desk, ...startArgs, '--prompt', 'Say hello [[scenario:hello]]')
    await headed.answer(terminal)
    await terminal.shows('Hello from the mock model.')
    const { invocation_id: id } = await desk.last()
    await desk.data('agent', 'send', id, headed.leave)
    expect((await terminal.ended).exitCode).toBe(0)
    await terminal.shows('the agent ended')
    expect(terminal.alternate()).toBe(false)
    expect(await desk.show(id)).toMatchObject({ status: 'finished', exit_reason: 'exited', exit_code: 0 })
  })

  test('killed in the middle of its answer', async () => {
    const desk = await makeDesk()
    const before = mock.requests('slow')
    const id = await detached(desk, '--prompt', 'Take your time [[scenario:slow]]')
    const terminal = run(desk, 'agent', 'attach', id)
    await headed.answer(terminal)
    await mock.waitForRequest('slow', before)
    await terminal.shows('slow 3')
    expect((await desk.run(['agent', 'kill', id])).exitCode).toBe(0)
    const killed = { status: 'failed', exit_reason: 'killed', exit_signal: 'SIGKILL' }
    expect(await desk.show(id)).toMatchObject(killed)
    expect((await terminal.ended).exitCode).toBe(0)
    await waitUntil(() => processesWith('XDG_RUNTIME_DIR', desk.scratch).length === 0)
  })

  test('follows up on a headless run, whose history it shows', async () => {
    const desk = await makeDesk()
    await desk.headless('Say hello [[scenario:hello]]')
    const { invocation_id: first } = await desk.last()
    const id = await detached(desk, '--resume', first, '--prompt', 'What next?')
    const terminal = run(desk, 'agent', 'attach', id)
    await headed.answer(terminal)
    await terminal.shows('follow-up received: Your working directory is now')
    expect(terminal.screen()).toMatch(/Say hello|Hello from the mock model/)
    expect(terminal.screen()).toContain('What next?')
  })
})
