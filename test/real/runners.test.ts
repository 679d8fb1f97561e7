// The real claude and codex against a stand-in for their model APIs: our launch plans, parsers and verdicts on live
// output. Nothing here is recorded, so a new version of a CLI is tried by running this again.

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LaunchRequest } from '../../src/core/model/runner.ts'
import { git, makeRepository, makeScratch } from '../support/git/repository.ts'
import { launchRequest } from '../support/runners/launch-request.ts'
import { eventsOf } from '../support/runners/replay.ts'
import { type MockLlm, startMockLlm } from './mock-llm.ts'
import { MOCK_PROGRAM, PATH, REAL_CLIS, reasonToSkip } from './real-clis.ts'
import { type Run, runPlan } from './run-plan.ts'

const FINISHED = { status: 'finished', exit_reason: 'exited', failure: null }

interface Sandboxes {
  readonly first: string
  /** Another sandbox of the same repository, like the one that a follow-up gets. */
  readonly second: string
}

function makeSandboxes(): Sandboxes {
  const root = makeScratch()
  const repository = makeRepository(join(root, 'repository'))
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  git(repository, 'worktree', 'add', '-q', '-b', 'one', first)
  git(repository, 'worktree', 'add', '-q', '-b', 'two', second)
  return { first, second }
}

let mock: MockLlm | null = null
beforeAll(async () => {
  if (REAL_CLIS.some((row) => reasonToSkip(row) === null)) mock = await startMockLlm(MOCK_PROGRAM)
})
afterAll(() => mock?.stop())

for (const row of REAL_CLIS) {
  const { runner } = row
  const reason = reasonToSkip(row)
  if (reason !== null) {
    test.skip(`skipped: ${reason}`)
    continue
  }

  const env = (): NodeJS.ProcessEnv => ({ ...process.env, ...mock?.env, PATH })
  const run = (sandbox: string, prompt: string, changes: Partial<LaunchRequest> = {}): Promise<Run> => {
    const fresh = { sandbox_path: sandbox, prompt, new_session_id: randomUUID() }
    return runPlan(runner, { env: env(), request: launchRequest({ ...fresh, ...changes }) })
  }
  const sessionOf = ({ events }: Run): string => eventsOf(events, 'session')[0]?.session_id ?? 'none'
  const textsOf = ({ events }: Run): readonly string[] => eventsOf(events, 'text').map(({ text }) => text)
  const resultOf = ({ events }: Run) => eventsOf(events, 'result').at(-1)

  describe(runner.name, () => {
    test('is ready', async () => {
      expect(await runner.probe(env())).toMatchObject({ state: 'ready', version: expect.any(String) })
    })

    test('says hello, tells its session and its cost, and nothing that we cannot read', async () => {
      const id = randomUUID()
      const ended = await run(makeSandboxes().first, 'Say hello [[scenario:hello]]', { new_session_id: id })
      expect(ended.outcome).toEqual(FINISHED)
      expect(textsOf(ended)).toEqual(['Hello from the mock model.'])
      expect(resultOf(ended)?.usage).toMatchObject({
        cost_usd: row.priced ? expect.any(Number) : null,
        input_tokens: 100,
        output_tokens: 20,
      })
      if (runner.name === 'claude') expect(sessionOf(ended)).toBe(id)
      expect(eventsOf(ended.events, 'output').filter(({ stream }) => stream === 'stdout')).toEqual([])
    })

    test('writes nothing without permission, and ends well all the same', async () => {
      const { first } = makeSandboxes()
      const ended = await run(first, 'Write it [[scenario:write]]')
      expect(ended.outcome).toEqual(FINISHED)
      expect(existsSync(join(first, 'hello.txt'))).toBe(false)
      expect(resultOf(ended)?.usage.denied_tools).toEqual(row.deniedTools)
      const denied = eventsOf(ended.events, 'tool_result').filter(({ outcome }) => outcome === 'denied')
      expect(denied).toHaveLength(row.deniedTools.length)
    })

    test('writes where it may', async () => {
      const { first } = makeSandboxes()
      const ended = await run(first, 'Write it [[scenario:write]]', { extra_args: row.write })
      expect(ended.outcome).toEqual(FINISHED)
      expect(readFileSync(join(first, 'hello.txt'), 'utf8')).toBe('hello from mock\n')
      expect(eventsOf(ended.events, 'tool_result')).toMatchObject([{ outcome: 'ok' }])
    })

    test('commits in a sandbox where it may', async () => {
      const { first } = makeSandboxes()
      const ended = await run(first, 'Go [[scenario:commit]]', {
        extra_args: row.commit,
      })
      expect(ended.outcome).toEqual(FINISHED)
      expect(git(first, 'log', '-1', '--format=%s')).toBe('mock: add feature')
    })

    test('a command that fails is no failed run', async () => {
      const ended = await run(makeSandboxes().first, 'Try [[scenario:failbash]]', { extra_args: row.bash })
      expect(ended.outcome).toEqual(FINISHED)
      expect(eventsOf(ended.events, 'tool_result')).toMatchObject([{ outcome: 'failed', exit_code: 3 }])
    })

    test.each(Object.entries(row.apiErrors))(
      'an API error (%s) is a failed run that says why',
      async (scenario, failure) => {
        const ended = await run(makeSandboxes().first, `Go [[scenario:${scenario}]]`)
        expect(ended).toMatchObject({ exit_code: 1, outcome: { status: 'failed', exit_reason: 'exited' } })
        expect(ended.outcome.failure).toMatch(failure)
      },
    )

    test('stopped in the middle of its answer it has finished', async () => {
      const { first } = makeSandboxes()
      const before = mock?.requests('slow') ?? 0
      const request = launchRequest({
        sandbox_path: first,
        prompt: 'Take your time [[scenario:slow]]',
        new_session_id: randomUUID(),
      })
      const stopWhen = mock?.waitForRequest('slow', before) ?? Promise.reject(new Error('no model'))
      const ended = await runPlan(runner, { env: env(), request, stopWhen })
      expect(ended.outcome).toEqual({ status: 'finished', exit_reason: 'stopped', failure: null })
      expect(sessionOf(ended)).not.toBe('none')
    })

    test('a follow-up goes on in the same session, in the sandbox that it was given', async () => {
      const { first, second } = makeSandboxes()
      const session = sessionOf(await run(first, 'Say hello [[scenario:hello]]'))
      const again = { resume_session_id: session, extra_args: row.bash }
      const ended = await run(second, 'Now look [[scenario:bash cmd="touch here"]]', again)
      expect(ended.outcome).toEqual(FINISHED)
      expect(sessionOf(ended)).toBe(session)
      expect(existsSync(join(second, 'here'))).toBe(true)
      expect(existsSync(join(first, 'here'))).toBe(false)
      // The follow-up made two requests. Codex counts the whole thread, Claude Code only what is new.
      expect(resultOf(ended)?.usage.input_tokens).toBe(runner.name === 'claude' ? 200 : 300)
    })

    test('a follow-up on a session that is gone is a failed run that says so', async () => {
      const ended = await run(makeSandboxes().first, 'Go on', { resume_session_id: randomUUID() })
      expect(ended.outcome).toMatchObject({ status: 'failed', exit_reason: 'exited' })
      expect(`${ended.outcome.failure} ${ended.stderr}`).toMatch(/No conversation found|no rollout found/)
    })

    test.each([
      ['of 1 MB', `${'Refactor it. '.repeat(80_000)} [[scenario:hello]]`],
      ['that begins with a hyphen', '--help me [[scenario:hello]]'],
    ])('a prompt %s arrives', async (_, prompt) => {
      const ended = await run(makeSandboxes().first, prompt)
      expect(ended.outcome).toEqual(FINISHED)
      expect(textsOf(ended)).toEqual(['Hello from the mock model.'])
    })

    test.each(['update', 'resume', '-'])(
      'the prompt %j is a prompt, not a command of the CLI',
      async (prompt) => {
        const ended = await run(makeSandboxes().first, prompt)
        expect(ended.outcome).toEqual(FINISHED)
        expect(textsOf(ended)).toEqual(['ok (mock: no scenario marker)'])
      },
    )
  })
}
