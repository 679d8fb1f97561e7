// The real CLIs in a box of the operating system, with a network that leads to the stand-in for their model alone.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { hasOsBox, hasRelay } from '../support/boxes/boxes.ts'
import { git } from '../support/git/repository.ts'
import { processesWith } from '../support/processes/processes.ts'
import { eventsOf } from '../support/runners/replay.ts'
import { type MockLlm, startMockLlm } from './mock-llm.ts'
import { MOCK_PROGRAM, REAL_CLIS, reasonToSkip } from './real-clis.ts'
import { makeRealDesk } from './real-desk.ts'

const FINISHED = { status: 'finished', exit_reason: 'exited', exit_code: 0, failure: null }

let mock: MockLlm
beforeAll(async () => {
  if (REAL_CLIS.some((row) => reasonToSkip(row) === null)) mock = await startMockLlm(MOCK_PROGRAM)
})
afterAll(() => mock?.stop())

const look = (path: string): string =>
  existsSync(path)
    ? execFileSync('find', [path, '-type', 'f', '-exec', 'sha256sum', '{}', '+'], { encoding: 'utf8' })
    : ''

describe.each(REAL_CLIS)('$runner.name in a box', (cli) => {
  const noBox = hasOsBox && hasRelay ? null : 'neither bubblewrap nor socat may be missing'
  const reason = reasonToSkip(cli) ?? noBox
  if (reason !== null) return test.skip(`skipped: ${reason}`)

  async function makeDesk() {
    const { port } = new URL(mock.env['ANTHROPIC_BASE_URL'] ?? '')
    const home = { path: '' }
    const desk = await makeRealDesk(cli, mock, (scratch) => {
      home.path = join(scratch, 'home')
      mkdirSync(home.path)
      return { HOME: home.path, GIT_AUTHOR_NAME: 'x' }
    })
    execFileSync('git', ['config', '--global', 'user.name', 'Person'], {
      env: { ...process.env, HOME: home.path },
    })
    execFileSync('git', ['config', '--global', 'user.email', 'p@example.com'], {
      env: { ...process.env, HOME: home.path },
    })
    const options = ['--env', 'boxed', '--allow', `127.0.0.1:${port}`, '--variable', 'MOCK_API_KEY']
    const state = () => [home.path, mock.env['CODEX_HOME'] ?? ''].map(look)
    return { ...desk, options, state }
  }

  test('writes where it may; nothing of its own outside has changed', async () => {
    const desk = await makeDesk()
    const before = desk.state()
    const ran = await desk.headless('Write it [[scenario:write]]', {
      args: cli.boxed.write,
      options: desk.options,
    })
    expect(ran.exitCode, ran.stderr).toBe(0)
    const record = await desk.last()
    expect(record).toMatchObject({
      ...FINISHED,
      environment: { name: 'boxed', isolation: 'os', changeset: 'copy' },
    })
    expect(readFileSync(join(showPath(record.sandbox_path), 'hello.txt'), 'utf8')).toBe('hello from mock\n')
    expect(desk.state()).toEqual(before)
  })

  test('commits where it may; the commit lands', async () => {
    const desk = await makeDesk()
    const ran = await desk.headless('Go [[scenario:commit]]', { args: cli.commit, options: desk.options })
    expect(ran.exitCode, ran.stderr).toBe(0)
    const { invocation_id: id } = await desk.last()
    expect((await desk.run(['agent', 'land', id])).exitCode).toBe(0)
    const tree = (await desk.run(['worktree', 'path', 'feature'])).stdout
    expect(git(tree, 'log', '-1', '--format=%s')).toBe('mock: add feature')
  })

  test('a command of its that fails, and what it may not do, are shown as ever', async () => {
    const desk = await makeDesk()
    const ran = await desk.headless('Try [[scenario:failbash]]', {
      args: cli.boxed.bash,
      options: desk.options,
    })
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('✗ failed (exit 3)') })
    await desk.headless('Write it [[scenario:write]]', { options: desk.options })
    expect((await desk.last()).usage).toMatchObject({ denied_tools: cli.deniedTools })
  })

  test('a follow-up goes on with its session in a box of its own', async () => {
    const desk = await makeDesk()
    await desk.headless('Write it [[scenario:write]]', { args: cli.boxed.write, options: desk.options })
    const first = await desk.last()
    const prompt = 'Now look [[scenario:bash cmd="pwd; ls"]]'
    const resumed = ['--resume', first.invocation_id]
    const ran = await desk.headless(prompt, { args: cli.boxed.bash, options: [...desk.options, ...resumed] })
    expect(ran.exitCode, ran.stderr).toBe(0)
    const second = await desk.last()
    expect(second).toMatchObject({ ...FINISHED, runner_session_id: first.runner_session_id })
    const [output = ''] = eventsOf(await desk.events(second.invocation_id), 'tool_result').map(
      (one) => one.output,
    )
    expect(output).toContain(second.sandbox_path)
  })

  test('stopped in the middle of its answer it has finished, and leaves no process', async () => {
    const desk = await makeDesk()
    const before = mock.requests('slow')
    const { invocation_id: id } = await desk.detached('Take your time [[scenario:slow]]', {
      options: desk.options,
    })
    await mock.waitForRequest('slow', before)
    expect((await desk.run(['agent', 'stop', id])).exitCode).toBe(0)
    expect(await desk.show(id)).toMatchObject({
      exit_reason: 'stopped',
      runner_session_id: expect.any(String),
    })
    expect(processesWith('AGENCY_INVOCATION_ID', id)).toEqual([])
  })
})
