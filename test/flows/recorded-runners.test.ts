// The built program with recordings of claude and codex, which run under their names on PATH: from `agent start` to the
// record, without the real ones.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogPaths } from '../../src/core/facade/agency.ts'
import { makeRepository, makeScratch } from '../support/git/repository.ts'
import { type Desk, type InvocationData, sitDown } from '../support/processes/cli.ts'
import { sample } from '../support/run/sampled.ts'
import { waitUntil } from '../support/run/wait.ts'
import { type FakeRunnerOptions, installFakeRunner, transcriptPath } from '../support/runners/fake-runner.ts'
import { RECORDED_RUNS, type RecordedRun } from '../support/runners/recorded-runs.ts'

interface Stage extends Desk {
  /** From now on the runner plays this recording, and ends as it did. */
  play(name: string, options?: FakeRunnerOptions): RecordedRun
  headless(...args: readonly string[]): ReturnType<Desk['run']>
  /** The invocation that was started last. */
  last(): Promise<InvocationData>
  logs(id: string): Promise<LogPaths>
}

const VERSIONS = { claude: '2.1.330 (Claude Code)', codex: 'codex-cli 0.169.0' }

async function makeStage(runner: keyof typeof VERSIONS): Promise<Stage> {
  const scratch = makeScratch()
  const bin = join(scratch, 'bin')
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    ANTHROPIC_API_KEY: 'x',
    CODEX_API_KEY: 'x',
  }
  const desk = sitDown(scratch, makeRepository(join(scratch, 'repo')), env)
  await desk.worktree('feature')
  const startArgs = ['agent', 'start', '--worktree', 'feature', '--runner', runner, '--headless']
  return {
    ...desk,
    play: (name, options) => {
      const run = new Map(Object.entries(RECORDED_RUNS)).get(name)
      if (run === undefined) throw new Error(`${name} is not recorded`)
      const exit = run.end.exit_code ?? 0
      const told = { transcript: transcriptPath(name), 'version-text': VERSIONS[runner], exit, ...options }
      installFakeRunner(bin, runner, told)
      return run
    },
    headless: (...args) => desk.run([...startArgs, '--prompt', 'Do it', ...args]),
    last: async () => {
      // Ids of the same second are in no order.
      const { invocations } = await desk.list()
      const inTime = invocations.toSorted((a, b) => a.started_at.localeCompare(b.started_at))
      return desk.show(inTime.at(-1)?.invocation_id ?? 'none')
    },
    logs: async (id) => (await desk.data<{ paths: LogPaths }>('agent', 'logs', id)).paths,
  }
}

/** What the record must say of the run. */
function truthOf({ session, end, outcome, spent, denied = [], failure }: RecordedRun) {
  const [status, exit_reason] = outcome.split(' ')
  const [cost_usd, input_tokens, output_tokens] = spent ?? [null, null, null]
  return {
    status,
    exit_reason,
    exit_code: end.exit_code,
    exit_signal: null,
    failure: failure === undefined ? null : expect.stringMatching(failure),
    runner_session_id: session,
    usage: {
      cost_usd: cost_usd === null ? null : expect.closeTo(cost_usd, 6),
      input_tokens,
      output_tokens,
      denied_tools: denied,
    },
  }
}

sample(test).each([
  'claude-write-default',
  'claude-commit-allowed',
  'claude-err500-retries2',
  'codex-commit-ww-gitdir',
  'codex-err401',
])('%s is recorded as it was', async (name) => {
  const stage = await makeStage(name.startsWith('claude') ? 'claude' : 'codex')
  const recorded = stage.play(name)
  const ran = await stage.headless()
  expect(ran.exitCode).toBe(recorded.end.exit_code)
  for (const text of recorded.texts) expect(ran.stderr).toContain(text)
  if ((recorded.denied ?? []).length > 0) expect(ran.stdout).toContain('DENIED (Write)')
  const record = await stage.last()
  expect(record).toMatchObject(truthOf(recorded))
  const { raw } = await stage.logs(record.invocation_id)
  expect(readFileSync(raw).equals(readFileSync(transcriptPath(name)))).toBe(true)
})

test('a run that is stopped in the middle has finished, with what it had cost by then', async () => {
  const stage = await makeStage('claude')
  const recorded = stage.play('claude-slow-SIGINT', { hang: true, 'sigint-exit': 0 })
  await stage.headless('--detached')
  const { invocation_id: id } = await stage.last()
  const { raw } = await stage.logs(id)
  const whole = readFileSync(transcriptPath('claude-slow-SIGINT'))
  await waitUntil(() => readFileSync(raw).equals(whole))
  expect((await stage.run(['agent', 'stop', id])).exitCode).toBe(0)
  expect(await stage.show(id)).toMatchObject(truthOf(recorded))
})

test('a follow-up goes on with the session, and is told where it is', async () => {
  const stage = await makeStage('codex')
  stage.play('codex-resume-1')
  await stage.headless()
  const first = await stage.last()
  const call = join(stage.scratch, 'call.json')
  const recorded = stage.play('codex-resume-2', { record: call })
  expect((await stage.headless('--resume', first.invocation_id)).exitCode).toBe(0)
  const second = await stage.last()
  expect(second).toMatchObject({
    ...truthOf(recorded),
    parent_invocation_id: first.invocation_id,
    prompt: 'Do it',
  })
  const { argv, cwd } = JSON.parse(readFileSync(call, 'utf8'))
  expect(cwd).toBe(second.sandbox_path)
  expect(argv.slice(0, 3)).toEqual(['exec', '-C', second.sandbox_path])
  expect(argv.slice(-4, -1)).toEqual(['resume', recorded.session, '--'])
  expect(argv.at(-1)).toMatch(/^Your working directory is now .*\n\nDo it$/)
  expect(readFileSync(second.prompt_path ?? '', 'utf8')).toBe(argv.at(-1))
  const { stream } = await stage.logs(second.invocation_id)
  const [asked = ''] = readFileSync(stream, 'utf8').split('\n')
  expect(JSON.parse(asked)).toMatchObject({ kind: 'prompt', text: 'Do it' })
})
