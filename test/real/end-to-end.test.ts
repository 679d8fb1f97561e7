// The whole built program with the real claude and codex: started, watched, stopped, killed, landed and followed up on
// as a person or a script does it.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../src/core/doors/system/find-program.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { git } from '../support/git/repository.ts'
import { processesWith } from '../support/processes/processes.ts'
import { eventsOf } from '../support/runners/replay.ts'
import { type MockLlm, startMockLlm } from './mock-llm.ts'
import { MOCK_PROGRAM, PATH, REAL_CLIS, reasonToSkip } from './real-clis.ts'
import { makeRealDesk, type RealDesk } from './real-desk.ts'

const FINISHED = { status: 'finished', exit_reason: 'exited', exit_code: 0, exit_signal: null, failure: null }

let mock: MockLlm
beforeAll(async () => {
  if (REAL_CLIS.some((row) => reasonToSkip(row) === null)) mock = await startMockLlm(MOCK_PROGRAM)
})
afterAll(() => mock?.stop())

const leftOf = (id: string): readonly number[] => processesWith('AGENCY_INVOCATION_ID', id)

describe.each(REAL_CLIS)('$runner.name', (cli) => {
  const reason = reasonToSkip(cli)
  if (reason !== null) return test.skip(`skipped: ${reason}`)
  const { name } = cli.runner
  const makeDesk = (): Promise<RealDesk> => makeRealDesk(cli, mock)

  test('says hello: the run is shown as it goes, and recorded with what it cost', async () => {
    const desk = await makeDesk()
    const ran = await desk.headless('Say hello [[scenario:hello]]')
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Hello from the mock model.') })
    const record = await desk.last()
    const usage = { input_tokens: 100, output_tokens: 20, denied_tools: [] }
    expect(record).toMatchObject({ ...FINISHED, runner: name, display: 'ready', usage })
    expect(record.usage?.cost_usd).toEqual(cli.priced ? expect.any(Number) : null)
    expect(record.runner_session_id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    const logs = await desk.run(['agent', 'logs', record.invocation_id])
    expect(logs.stdout).toContain('> Say hello [[scenario:hello]]\n')
    expect(logs.stdout).toContain('\nHello from the mock model.\n')
    expect(logs.stdout).not.toMatch(/^\{/m)
  })

  test('what it printed is logged byte for byte', async () => {
    const desk = await makeDesk()
    const copy = join(desk.scratch, 'copy')
    const bin = join(desk.scratch, 'bin')
    mkdirSync(bin)
    const real = findProgram(name, { PATH }) ?? ''
    writeFileSync(join(bin, name), `#!/bin/bash\nset -o pipefail\n'${real}' "$@" | tee '${copy}'\n`)
    chmodSync(join(bin, name), 0o755)
    const start = ['agent', 'start', '--worktree', 'feature', '--runner', name, '--headless']
    const ran = await desk.run([...start, '--prompt', 'Write [[scenario:write]]'], {
      env: { PATH: `${bin}:${PATH}` },
    })
    expect(ran.exitCode).toBe(0)
    const { invocation_id } = await desk.last()
    const raw = await desk.raw(invocation_id)
    expect(raw).toBe(readFileSync(copy, 'utf8'))
    expect(raw.trim().split('\n').length).toBeGreaterThan(3)
    // execa has removed the last newline of stdout.
    expect(`${(await desk.run(['agent', 'logs', '--raw', invocation_id])).stdout}\n`).toBe(raw)
  })

  test('writes nothing by default, and that is said loudly with what to do', async () => {
    const desk = await makeDesk()
    const ran = await desk.headless('Write it [[scenario:write]]')
    expect(ran.exitCode).toBe(0)
    const denied = cli.deniedTools.length > 0 ? '1 tool call was DENIED (Write), and it changed nothing' : ''
    expect(ran.stdout).toContain(denied || 'it changed nothing')
    expect(ran.stdout).toContain(`--runner-arg ${cli.write.join(' --runner-arg ')}`)
    const record = await desk.last()
    expect(record).toMatchObject({ ...FINISHED, usage: { denied_tools: cli.deniedTools } })
    expect(existsSync(join(showPath(record.sandbox_path), 'hello.txt'))).toBe(false)
    // Somebody who was not there when it ended is told the same.
    const waited = await desk.run(['agent', 'wait', record.invocation_id])
    expect(waited).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(denied || 'changed nothing'),
    })
  })

  test('writes where it may, in its sandbox and nowhere else; it lands with --apply', async () => {
    const desk = await makeDesk()
    const { invocation_id: id } = await desk.detached('Write it [[scenario:write]]', { args: cli.write })
    expect((await desk.run(['agent', 'wait', id])).exitCode).toBe(0)
    const record = await desk.show(id)
    expect(record).toMatchObject(FINISHED)
    expect(readFileSync(join(showPath(record.sandbox_path), 'hello.txt'), 'utf8')).toBe('hello from mock\n')
    expect(git(desk.root, 'status', '--porcelain')).toBe('')
    const refused = await desk.run(['agent', 'land', id])
    expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('E_NEEDS_APPLY') })
    expect((await desk.run(['agent', 'land', '--apply', id])).exitCode).toBe(0)
    const tree = (await desk.run(['worktree', 'path', 'feature'])).stdout
    expect(readFileSync(join(tree, 'hello.txt'), 'utf8')).toBe('hello from mock\n')
  })

  test('commits where it may; the commit is looked at and landed', async () => {
    const desk = await makeDesk()
    const ran = await desk.headless('Go [[scenario:commit]]', { args: cli.commit })
    expect(ran.exitCode).toBe(0)
    const { invocation_id: id } = await desk.last()
    const diff = await desk.run(['agent', 'diff', id])
    expect(diff.stdout).toContain('mock: add feature')
    expect(diff.stdout).toContain('feature.txt')
    expect((await desk.run(['agent', 'land', id])).exitCode).toBe(0)
    const tree = (await desk.run(['worktree', 'path', 'feature'])).stdout
    expect(git(tree, 'log', '-1', '--format=%s')).toBe('mock: add feature')
    expect(readFileSync(join(tree, 'feature.txt'), 'utf8')).toBe('feature\n')
    expect(git(desk.root, 'worktree', 'list').split('\n')).toHaveLength(2)
  })

  test.runIf(name === 'codex')('codex that may only write cannot commit; what it wrote lands', async () => {
    const desk = await makeDesk()
    // Codex does not say that its commit was refused.
    expect((await desk.headless('Go [[scenario:commit]]', { args: cli.write })).exitCode).toBe(0)
    const { invocation_id: id } = await desk.last()
    expect((await desk.run(['agent', 'diff', id])).stdout).toMatch(/feature\.txt +added +1 +0 +uncommitted/)
    expect((await desk.run(['agent', 'land', '--apply', id])).exitCode).toBe(0)
  })

  test('a command of its that fails is shown, and is no failed run', async () => {
    const desk = await makeDesk()
    const ran = await desk.headless('Try [[scenario:failbash]]', { args: cli.bash })
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('✗ failed (exit 3)') })
    expect(await desk.last()).toMatchObject(FINISHED)
  })

  test.each(Object.entries(cli.apiErrors))(
    'an API error (%s) fails the run and says why',
    async (scenario, why) => {
      const desk = await makeDesk()
      const ran = await desk.headless(`Go [[scenario:${scenario}]]`)
      expect(ran).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(why) })
      const record = await desk.last()
      expect(record).toMatchObject({ status: 'failed', exit_reason: 'exited', exit_code: 1 })
      expect(record.failure).toMatch(why)
      expect((await desk.run(['agent', 'wait', record.invocation_id])).exitCode).toBe(1)
    },
  )

  test('stopped in the middle of its answer it has finished, at once', async () => {
    const desk = await makeDesk()
    const before = mock.requests('slow')
    const { invocation_id: id } = await desk.detached('Take your time [[scenario:slow]]')
    await mock.waitForRequest('slow', before)
    expect((await desk.run(['agent', 'stop', id])).exitCode).toBe(0)
    expect(await desk.show(id)).toMatchObject({
      ...FINISHED,
      exit_reason: 'stopped',
      exit_code: cli.interrupted,
      runner_session_id: expect.any(String),
    })
    expect(leftOf(id)).toEqual([])
  })

  test.each(['stop', 'kill'])('%s in the middle of a command leaves no process', async (verb) => {
    const desk = await makeDesk()
    const { invocation_id: id } = await desk.detached('Sleep [[scenario:slowtool]]', { args: cli.bash })
    await desk.untilRuns(id, 'perl -e sleep 60')
    expect((await desk.run(['agent', verb, id])).exitCode).toBe(0)
    const record = await desk.show(id)
    if (verb === 'kill') {
      const killed = { exit_reason: 'killed', exit_code: null, exit_signal: 'SIGKILL' }
      expect(record).toMatchObject({ status: 'failed', ...killed, failure: 'it was killed' })
    } else expect(record).toMatchObject({ status: 'finished', exit_reason: 'stopped' })
    expect(leftOf(id)).toEqual([])
  })

  test('when its host is killed nothing of it lives on, and its session can be gone on with', async () => {
    const desk = await makeDesk()
    const { invocation_id: id } = await desk.detached('Sleep [[scenario:slowtool]]', { args: cli.bash })
    await desk.untilRuns(id, 'perl -e sleep 60')
    const running = await desk.show(id)
    process.kill(running.host?.pid ?? 0, 'SIGKILL')
    const record = await desk.show(id)
    expect(record).toMatchObject({ status: 'failed', exit_reason: 'unknown', exit_code: null })
    expect(record.failure).toContain('vanished')
    expect(record.runner_session_id).toEqual(expect.any(String))
    expect(leftOf(id)).toEqual([])
    expect((await desk.run(['agent', 'logs', id])).stdout).toContain('Starting a long command.')

    const again = await desk.headless('Hello? [[scenario:hello]]', { options: ['--resume', id] })
    expect(again.exitCode).toBe(0)
    expect((await desk.last()).runner_session_id).toBe(record.runner_session_id)
  })

  test.each(['pending', 'landed', 'discarded'])(
    'a follow-up on a %s run goes on in a sandbox of its own',
    async (state) => {
      const desk = await makeDesk()
      await desk.headless('Write it [[scenario:write]]', { args: cli.write })
      const first = await desk.last()
      if (state === 'landed') await desk.data('agent', 'land', '--apply', first.invocation_id)
      if (state === 'discarded') await desk.data('agent', 'discard', first.invocation_id)

      const prompt = 'Now look [[scenario:bash cmd="pwd; ls"]]'
      const ran = await desk.headless(prompt, { args: cli.bash, options: ['--resume', first.invocation_id] })
      expect(ran.exitCode).toBe(0)
      const second = await desk.last()
      expect(second).toMatchObject({
        ...FINISHED,
        parent_invocation_id: first.invocation_id,
        runner_session_id: first.runner_session_id,
        prompt,
      })
      // The follow-up made two requests, and there were two before. Codex counts the whole session, Claude Code only
      // what is new.
      expect(second.usage?.input_tokens).toBe(cli.priced ? 200 : 400)
      const events = await desk.events(second.invocation_id)
      const told = eventsOf(events, 'prompt')[0]?.text
      expect(told).toContain(
        `now ${second.sandbox_path}, a fresh checkout: the paths in ${first.sandbox_path}`,
      )
      const [output = ''] = eventsOf(events, 'tool_result').map((result) => result.output)
      expect(output).toContain(second.sandbox_path)
      expect(output.includes('hello.txt')).toBe(state === 'landed')
    },
  )

  test('a follow-up takes the runner of the session by itself, and no other', async () => {
    const desk = await makeDesk()
    await desk.headless('Say hello [[scenario:hello]]')
    const { invocation_id: id } = await desk.last()
    const start = ['agent', 'start', '--worktree', 'feature', '--headless', '--resume', id, '--prompt', 'Hi']
    expect((await desk.run(start)).exitCode).toBe(0)
    expect((await desk.last()).runner).toBe(name)
    const other = name === 'claude' ? 'codex' : 'claude'
    expect((await desk.run([...start, '--runner', other])).stderr).toContain(`hint: use: --runner ${name}`)
  })
})
