// What is executed for a request. Planning is pure, so every odd prompt can be tried.

import { describe, expect, test } from 'vitest'
import type { LaunchRequest } from '../../../src/core/model/runner.ts'
import { runnerCatalog } from '../../../src/runners/registry.ts'
import { launchRequest, SESSION } from '../../support/runners/launch-request.ts'

const catalog = runnerCatalog({
  runners: { mine: { headless: ['mine', '{prompt}'], headed: ['mine', '{prompt}'] } },
})

const plan = (name: string, changes: Partial<LaunchRequest> = {}) =>
  catalog.get(name).planLaunch(launchRequest(changes), `/bin/${name}`)

const MEGABYTE = 'Refactor it.\n'.repeat(80_000)

describe('every runner', () => {
  test.each(['claude', 'codex', 'shell', 'mine'])('%s refuses a NUL, saying where it is', (name) => {
    expect(() => plan(name, { prompt: 'a\0b' })).toThrow(/the prompt holds a NUL/)
    expect(() => plan(name, { extra_args: ['a\0b'] })).toThrow(/a runner argument holds a NUL/)
    expect(() => plan(name, { model: 'a\0b' })).toThrow(expect.objectContaining({ code: 'E_USAGE' }))
  })

  test.each(['claude', 'codex', 'shell', 'mine'])(
    '%s has nothing to do headless without a prompt',
    (name) => {
      for (const prompt of [null, '', ' \n']) {
        expect(() => plan(name, { prompt })).toThrow(expect.objectContaining({ code: 'E_PROMPT_MISSING' }))
      }
    },
  )

  test.each(['claude', 'codex', 'shell', 'mine'])('%s starts from what was found', (name) => {
    expect(plan(name).argv[0]).toBe(`/bin/${name}`)
  })
})

describe('claude', () => {
  const PRINT = ['/bin/claude', '-p', '--output-format', 'stream-json', '--verbose']

  test('headless prints JSON lines of a session whose id we chose', () => {
    expect(plan('claude')).toEqual({
      argv: [...PRINT, '--session-id', SESSION, '--', 'Fix the bug'],
      env: {},
      stdin: null,
      runner_session_id: SESSION,
      reports_status: false,
    })
  })

  test('the model and the arguments of the person come before the prompt', () => {
    const args = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(git:*)']
    expect(plan('claude', { model: 'sonnet', extra_args: args }).argv.slice(5)).toEqual([
      '--session-id',
      SESSION,
      '--model',
      'sonnet',
      ...args,
      '--',
      'Fix the bug',
    ])
  })

  test('a model that it does not know passes through', () => {
    expect(plan('claude', { model: 'claude-next-9' }).argv).toContain('claude-next-9')
    expect(plan('claude', { model: 'toString' }).argv).toContain('toString')
  })

  test.each(['-p is broken', '--help', 'two\nlines', 'quotes \' and " and $(rm)'])(
    'the prompt %j is safe',
    (prompt) => {
      expect(plan('claude', { prompt }).argv.slice(-2)).toEqual(['--', prompt])
    },
  )

  test('a prompt of 1 MB goes by standard input', () => {
    const { argv, stdin } = plan('claude', { prompt: MEGABYTE })
    expect(argv).toEqual([...PRINT, '--session-id', SESSION])
    expect(stdin).toBe(MEGABYTE)
  })

  test('a follow-up keeps the session', () => {
    const { argv, runner_session_id: session } = plan('claude', { resume_session_id: 'abc' })
    expect(argv.slice(5)).toEqual(['--resume', 'abc', '--', 'Fix the bug'])
    expect(session).toBe('abc')
  })

  test.each(['--continue', '-c', '--resume=xyz', '--session-id'])(
    '%s among the arguments chooses the session',
    (flag) => {
      const { argv, runner_session_id: session } = plan('claude', { extra_args: [flag] })
      expect(argv).not.toContain(SESSION)
      expect(session).toBeNull()
    },
  )

  test('headed takes the prompt as it is, or none', () => {
    expect(plan('claude', { mode: 'headed' }).argv).toEqual([
      '/bin/claude',
      '--session-id',
      SESSION,
      '--',
      'Fix the bug',
    ])
    expect(plan('claude', { mode: 'headed', prompt: null }).argv).toHaveLength(3)
  })

  test('headed, a lone word is no subcommand', () => {
    expect(plan('claude', { mode: 'headed', prompt: 'update' }).argv.at(-1)).toBe('update ')
  })

  test('headed, a prompt of 1 MB is read from its file', () => {
    expect(plan('claude', { mode: 'headed', prompt: MEGABYTE }).argv.at(-1)).toContain('/data/prompt.md')
  })
})

describe('codex', () => {
  test('headless works in the sandbox and prints JSON lines', () => {
    expect(plan('codex', { extra_args: ['-s', 'workspace-write'], model: 'gpt-x' })).toEqual({
      argv: [
        ...['/bin/codex', 'exec', '-C', '/sandbox/tree', '--json'],
        ...['--model', 'gpt-x', '-s', 'workspace-write', '--', 'Fix the bug'],
      ],
      env: {},
      stdin: null,
      runner_session_id: null,
    })
  })

  test('a follow-up names the thread behind the options', () => {
    const { argv } = plan('codex', { resume_session_id: 'thread', extra_args: ['-s', 'read-only'] })
    expect(argv.slice(1)).toEqual(
      'exec -C /sandbox/tree -s read-only --json resume thread --'.split(' ').concat('Fix the bug'),
    )
  })

  test.each(['-', MEGABYTE])('a prompt that an argument cannot carry goes by standard input', (prompt) => {
    const { argv, stdin } = plan('codex', { prompt })
    expect(argv.slice(-2)).toEqual(['--', '-'])
    expect(stdin).toBe(prompt)
  })

  test.each(['resume', '-x'])('the prompt %j is a prompt', (prompt) => {
    expect(plan('codex', { prompt }).argv.slice(-2)).toEqual(['--', prompt])
  })

  test('headed leaves no daemon behind and stays in the sandbox', () => {
    const { argv } = plan('codex', {
      mode: 'headed',
      resume_session_id: 'thread',
      extra_args: ['-s', 'read-only'],
    })
    expect(argv.slice(1)).toEqual(
      '--no-daemon -C /sandbox/tree -s read-only resume thread --'.split(' ').concat('Fix the bug'),
    )
  })

  test('headed without a prompt it waits for one', () => {
    const { argv } = plan('codex', { mode: 'headed', prompt: null })
    expect(argv.slice(1)).toEqual(['--no-daemon', '-C', '/sandbox/tree'])
  })
})

describe('shell', () => {
  test('headless the prompt is a script for sh', () => {
    expect(plan('shell', { prompt: 'make && make test' })).toEqual({
      argv: ['/bin/shell', '-c', 'make && make test'],
      env: {},
      stdin: null,
      runner_session_id: null,
    })
  })

  test('the arguments of the person are those of the script', () => {
    expect(plan('shell', { prompt: 'echo $1', extra_args: ['-x', 'b'] }).argv.slice(1)).toEqual([
      ...['-c', 'echo $1', 'sh', '-x', 'b'],
    ])
  })

  test('a script of 1 MB is run from its file', () => {
    expect(plan('shell', { prompt: MEGABYTE }).argv).toEqual(['/bin/shell', '/data/prompt.md'])
    expect(plan('shell', { prompt: MEGABYTE, mode: 'headed' }).argv.at(-1)).toBe('/data/prompt.md')
  })

  test('a script that begins like an option is a script', () => {
    expect(plan('shell', { prompt: '-e; echo hi' }).argv.at(-1)).toBe(' -e; echo hi')
  })

  test('it has neither models nor sessions', () => {
    expect(() => plan('shell', { model: 'opus' })).toThrow(/no models/)
    expect(() => plan('shell', { resume_session_id: 'abc' })).toThrow(
      expect.objectContaining({ code: 'E_RUNNER_MODE' }),
    )
  })
})
