// A runner in a few lines of config.toml: it is filled in exactly, and refused where it could not work.

import { describe, expect, test } from 'vitest'
import type { CustomRunner } from '../../../src/core/model/config.ts'
import type { LaunchRequest } from '../../../src/core/model/runner.ts'
import { runnerCatalog } from '../../../src/runners/registry.ts'
import { FAKE_RUNNER } from '../../support/runners/fake-runner.ts'
import { launchRequest, SESSION } from '../../support/runners/launch-request.ts'

const runner = (row: CustomRunner) => runnerCatalog({ runners: { mine: row } }).get('mine')

const argv = (row: CustomRunner, changes: Partial<LaunchRequest> = {}): readonly string[] =>
  runner(row).planLaunch(launchRequest(changes), '/bin/mine').argv.slice(1)

const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('a template', () => {
  test('is filled in element by element', () => {
    const headless = ['mine', '--dir={sandbox}', '--id', '{session_id}', '-f', '{prompt_file}', '{prompt}']
    expect(argv({ headless })).toEqual([
      ...['--dir=/sandbox/tree', '--id', SESSION, '-f', '/data/prompt.md', 'Fix the bug'],
    ])
  })

  test('never fills in what was filled in, nor braces that are no placeholder', () => {
    const prompt = 'use {model} and $& {prompt}'
    expect(argv({ headless: ['mine', '{"a":1}', '{prompt}'] }, { prompt })).toEqual(['{"a":1}', prompt])
  })

  test('loses an option whose value is not there', () => {
    const headless = ['mine', '--model', '{model}', '--fast', '--', '{prompt}']
    expect(argv({ headless })).toEqual(['--fast', '--', 'Fix the bug'])
    expect(argv({ headless, models: { big: 'big-9' } }, { model: 'big' })).toEqual([
      ...['--model', 'big-9', '--fast', '--', 'Fix the bug'],
    ])
  })

  test('takes the arguments of the person where {args} stands, else last', () => {
    const extra = { extra_args: ['-v', 'x'] }
    expect(argv({ headless: ['mine', '{args}', '{prompt}'] }, extra)).toEqual(['-v', 'x', 'Fix the bug'])
    expect(argv({ headless: ['mine', '{prompt}'] }, extra)).toEqual(['Fix the bug', '-v', 'x'])
  })
})

test('the whole row is used', () => {
  const row = {
    title: 'Mine',
    headless: ['mine', '--id', '{session_id}'],
    stream: 'claude',
    prompt_by: 'stdin',
    env: { QUIET: '1' },
  } as const
  const mine = runner({ ...row, headless: [...row.headless] })
  expect(mine).toMatchObject({ name: 'mine', title: 'Mine', modes: ['headless'], stream_format: 'claude' })
  expect(mine.planLaunch(launchRequest(), '/bin/mine')).toEqual({
    argv: ['/bin/mine', '--id', SESSION],
    env: { QUIET: '1' },
    stdin: 'Fix the bug',
    runner_session_id: SESSION,
  })
})

describe('a request is refused', () => {
  const row: CustomRunner = { headless: ['mine', '{prompt}'], headed: ['mine'] }

  test('for a mode without a command', () => {
    expect(() => argv({ headless: ['mine', '{prompt}'] }, { mode: 'headed' })).toThrow(
      refusal('E_RUNNER_MODE', /no headed command/),
    )
  })

  test('for a prompt that would be lost', () => {
    expect(() => argv(row, { mode: 'headed' })).toThrow(refusal('E_RUNNER_MODE', /takes no prompt/))
    expect(argv(row, { mode: 'headed', prompt: null })).toEqual([])
  })

  test('for a model that would be lost', () => {
    expect(() => argv(row, { model: 'big' })).toThrow(refusal('E_USAGE', /takes no model/))
  })

  test('for a prompt too long for an argument', () => {
    const prompt = 'x'.repeat(1_000_000)
    expect(() => argv(row, { prompt })).toThrow(refusal('E_USAGE', /too long/))
    expect(argv({ headless: ['mine', '{prompt_file}'] }, { prompt })).toEqual(['/data/prompt.md'])
  })

  test('for a follow-up', () => {
    expect(() => argv(row, { resume_session_id: 'abc' })).toThrow(refusal('E_RUNNER_MODE', /follow up/))
  })
})

describe('a row is refused', () => {
  test.each<[CustomRunner, RegExp]>([
    [{}, /runners\.mine: give it a command/],
    [{ headless: ['mine'] }, /runners\.mine\.headless: it takes no prompt/],
    [{ headless: ['./mine', '{prompt}'] }, /absolute path/],
    [{ headless: ['mine', '{prompt}'], headed: ['other'] }, /begins with 'other'/],
  ])('%j', (row, message) => {
    expect(() => runner(row)).toThrow(refusal('E_CONFIG_INVALID', message))
  })
})

describe('the catalog', () => {
  test('lists the built-in runners and then the own', () => {
    const own = { headless: ['x', '{prompt}'] }
    expect(runnerCatalog({ runners: { zed: own, mine: own } }).names).toEqual([
      ...['claude', 'codex', 'shell', 'zed', 'mine'],
    ])
  })

  test('refuses to replace a built-in runner', () => {
    expect(() => runnerCatalog({ runners: { claude: { headless: ['x', '{prompt}'] } } })).toThrow(
      refusal('E_CONFIG_INVALID', /^runners\.claude: 'claude' is built in/),
    )
  })

  test('names those that exist where one does not', () => {
    expect(() => runnerCatalog({}).get('clod')).toThrow(
      refusal('E_RUNNER_UNKNOWN', /no runner 'clod'; there are claude, codex, shell/),
    )
  })
})

test('its program is looked for', async () => {
  expect(await runner({ headless: [process.execPath, FAKE_RUNNER, '{prompt}'] }).probe({})).toEqual({
    state: 'ready',
    executable: process.execPath,
    version: null,
  })
  expect(await runner({ headless: ['no-such-agent', '{prompt}'] }).probe({ PATH: '/bin' })).toMatchObject({
    state: 'unavailable',
    code: 'E_RUNNER_MISSING',
    message: expect.stringContaining("'no-such-agent'"),
  })
})
