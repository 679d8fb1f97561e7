import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../../src/core/model/error-codes.ts'
import { AgencyError } from '../../../src/core/model/errors.ts'
import { COMMANDS } from '../../../src/ui/cli/commands/commands.ts'
import { worktreeData } from '../../../src/ui/cli/views/data.ts'
import { invocationView, usageOf, worktreeRecord, worktreeView } from '../../support/records/records.ts'
import { parseEnvelope, runCli } from '../../support/scene/command-line.ts'
import { recordingAgency } from '../../support/scene/recording-agency.ts'

test('every command has help with its examples', async () => {
  for (const row of COMMANDS) {
    const ran = await runCli([...row.path, '--help'])
    expect(ran.status).toBe(0)
    expect(ran.out).toContain(`Usage: agency ${row.path.join(' ')}`)
    for (const { line } of row.examples) expect(ran.out).toContain(line)
  }
})

test('agency help COMMAND is agency COMMAND --help', async () => {
  const one = await runCli(['help', 'agent', 'start'])
  expect(one.out).toBe((await runCli(['agent', 'start', '--help'])).out)
})

test('every error code stands under its exit status in agency help exit-codes', async () => {
  const { out } = await runCli(['help', 'exit-codes'])
  for (const code of Object.keys(ERROR_CODES)) expect(out).toContain(code)
})

test('the envelope of a success', async () => {
  const ran = await runCli(['worktree', 'ls', '--json'])
  expect(ran).toMatchObject({ status: 0, err: '' })
  expect(parseEnvelope(ran)).toEqual({
    schema_version: '1.0',
    ok: true,
    data: { worktrees: [worktreeData(worktreeView({ active: 2, needs_input: 1, ready: 1 }))] },
  })
})

const refusing = recordingAgency({
  landInvocation: async () => {
    throw new AgencyError('E_LAND_CONFLICT', '2 files conflict', {
      hint: 'ask it to rebase',
      details: { files: ['src/a.ts', 'b\x1b[2J.ts'] },
    })
  },
})

test('on a terminal a long sentence is broken between words, and what is to be copied is not', async () => {
  const hint = 'agency agent diff 20260128120800-b7c9 --commit 1234567'
  const agency = recordingAgency({
    landInvocation: async () => {
      throw new AgencyError('E_LAND_CONFLICT', 'two files conflict with what was landed a moment ago', {
        hint,
      })
    },
  })
  const narrow = await runCli(['agent', 'land', 'b7c9', '--no-color'], { agency, terminal: 30 })
  const sentence = 'two files conflict with what\nwas landed a moment ago'
  expect(narrow.err).toBe(`error_code: E_LAND_CONFLICT\n${sentence}\nhint: ${hint}\n`)
  const piped = await runCli(['agent', 'land', 'b7c9'], { agency })
  expect(piped.err).toContain(sentence.replace('\n', ' '))
})

test('the envelope of a failure, and its exit status', async () => {
  const ran = await runCli(['agent', 'land', 'b7c9', '--json'], { agency: refusing })
  expect(ran.status).toBe(5)
  expect(ran.err).toBe('')
  expect(parseEnvelope(ran)).toEqual({
    schema_version: '1.0',
    ok: false,
    error: {
      code: 'E_LAND_CONFLICT',
      message: '2 files conflict',
      hint: 'ask it to rebase',
      details: { files: ['src/a.ts', 'b\x1b[2J.ts'] },
    },
  })
})

test('an error for people: code first, then what happened, the files, and what to type', async () => {
  const ran = await runCli(['agent', 'land', 'b7c9'], { agency: refusing })
  expect(ran).toEqual({
    status: 5,
    out: '',
    err: 'error_code: E_LAND_CONFLICT\n2 files conflict\n  src/a.ts\n  b\\x1b[2J.ts\nhint: ask it to rebase\n',
  })
})

test('an error that is not ours is E_INTERNAL, exit 70', async () => {
  const agency = recordingAgency({
    undo: async () => {
      throw new TypeError('x is undefined')
    },
  })
  const ran = await runCli(['undo'], { agency })
  expect(ran.status).toBe(70)
  expect(ran.err).toMatch(/^error_code: E_INTERNAL\nx is undefined\n/)
})

test.each([
  ['an unknown command', ['frobnicate'], 'unknown command'],
  ['a misspelt command', ['agent', 'lss'], 'Did you mean ls?'],
  ['an unknown option', ['agent', 'ls', '--frob'], 'unknown option'],
  ['a missing argument', ['agent', 'show'], 'missing required argument'],
  ['too many arguments', ['agent', 'show', 'a', 'b'], 'too many arguments'],
  ['a group alone', ['agent'], 'agency agent needs a command: start, ls,'],
  ['a missing option', ['worktree', 'create'], "required option '--name <name>'"],
  ['an argument before --', ['agent', 'start', 'x', '--worktree', 'w'], 'goes behind --'],
])('%s is E_USAGE, exit 2', async (_, argv, message) => {
  const ran = await runCli(argv)
  expect(ran.status).toBe(2)
  expect(ran.err).toMatch(/^error_code: E_USAGE\n/)
  expect(ran.err).toContain(message)
  const json = await runCli(['--json', ...argv])
  expect(parseEnvelope(json)).toMatchObject({ ok: false, error: { code: 'E_USAGE' } })
})

test('global options stand before the command or behind it; -C adds up as in git', async () => {
  const places: string[] = []
  const open = async (cwd: string) => {
    places.push(cwd)
    return recordingAgency()
  }
  await runCli(['-C', 'a', 'worktree', 'ls', '-C', 'b', '--json'], { open, cwd: '/repo' })
  await runCli(['--json', 'agent', '-C', '/x', 'ls'], { open, cwd: '/repo' })
  await runCli(['agent', 'ls'], { open, cwd: '/repo' })
  expect(places).toEqual(['/repo/a/b', '/x', '/repo'])
})

test('agency by itself lists the agents, as agency agent ls does, where there is no terminal', async () => {
  const alone = await runCli([])
  expect(alone).toEqual(await runCli(['agent', 'ls']))
  expect(alone.out).toContain('b7c9')
  expect((await runCli(['--json'])).out).toContain('"ok":true')
  expect((await runCli(['watch'])).out).toBe(alone.out)
})

test('agents in a list', async () => {
  const agency = recordingAgency({
    listInvocations: async () => ({
      invocations: [
        invocationView({ usage: usageOf(), prompt: 'Fix\u202ethe test' }, { display: 'needs_input' }),
        invocationView(
          { invocation_id: '20260128120501-c2d8' as never, runner: 'codex', invocation_name: '' },
          { display: 'ready' },
        ),
      ],
      broken: [
        {
          invocation_id: '20260128120502-ffff' as never,
          broken: true,
          reason: 'its sandbox is missing',
          record: null,
        },
      ],
    }),
  })
  expect((await runCli(['agent', 'ls', '--all'], { agency })).out.split('\n')).toEqual([
    'ID    WORKTREE    RUNNER  STATE        AGE   COST  NAME   PROMPT',
    'b7c9  my-feature  claude  needs input   3m  $0.31  fixer  Fix\\u202ethe test',
    'c2d8  my-feature  codex   ready         3m                Fix the failing test',
    'broken 20260128120502-ffff: its sandbox is missing',
    '',
  ])
})

test('two agents whose last four are the same are listed by their whole ids', async () => {
  const twice = [invocationView(), invocationView({ invocation_id: '20260128130500-b7c9' as never })]
  const agency = recordingAgency({ listInvocations: async () => ({ invocations: twice, broken: [] }) })
  const { out } = await runCli(['agent', 'ls'], { agency })
  expect(out).toContain('20260128120500-b7c9')
  expect(out).toContain('20260128130500-b7c9')
})

test('a list keeps to the terminal, and is whole in a pipe', async () => {
  const long = invocationView({ prompt: 'word '.repeat(40) })
  const agency = recordingAgency({ listInvocations: async () => ({ invocations: [long], broken: [] }) })
  const narrow = await runCli(['agent', 'ls', '--no-color'], { agency, terminal: 80 })
  expect(narrow.out.split('\n').every((line) => line.length <= 80)).toBe(true)
  expect((await runCli(['agent', 'ls'], { agency })).out).toContain('word '.repeat(39))
})

test('a terminal gets colours, a pipe and --no-color do not', async () => {
  expect((await runCli(['agent', 'ls'], { terminal: 80 })).out).toContain('\x1b[36mworking')
  expect((await runCli(['agent', 'ls', '--no-color'], { terminal: 80 })).out).not.toContain('\x1b')
  expect((await runCli(['agent', 'ls'])).out).not.toContain('\x1b')
})

test('worktree path prints the path and nothing else', async () => {
  const ran = await runCli(['worktree', 'path', 'my-feature'])
  expect(ran).toEqual({ status: 0, out: `${worktreeRecord().tree_path}\n`, err: '' })
})

test.each([
  [['worktree', 'create', '--name', 'n', '--parent', 'p'], 'createWorktree', [{ name: 'n', parent: 'p' }]],
  [['worktree', 'ls', '--all'], 'listWorktrees', [{ all: true }]],
  [['agent', 'ls', '--worktree', 'w'], 'listInvocations', [{ all: false, worktree: 'w' }]],
  [
    ['agent', 'land', 'x', '--apply'],
    'landInvocation',
    ['x', { apply: true, commits_only: false, require_base: false }],
  ],
  [
    ['agent', 'land', 'x', '--commits-only', '--require-base'],
    'landInvocation',
    ['x', { apply: false, commits_only: true, require_base: true }],
  ],
  [['agent', 'stop', 'x'], 'stopInvocation', ['x']],
  [['agent', 'kill', 'x'], 'killInvocation', ['x']],
  [['agent', 'diff', 'x', '--stat'], 'diffInvocation', ['x', { patch: false }]],
  [['agent', 'send', 'x', 'go on'], 'sendText', ['x', Buffer.from('go on\r')]],
  [['agent', 'send', 'x', '--no-enter', '--', '-y'], 'sendText', ['x', Buffer.from('-y')]],
  [['gc', '--dry-run'], 'collectGarbage', [{ dry_run: true }]],
  [['doctor', '--fix', '--trust-config'], 'diagnose', [{ fix: true, trust_config: true }]],
])('%j calls the facade once, with what was typed', async (argv, verb, args) => {
  const agency = recordingAgency()
  expect((await runCli(argv, { agency })).status).toBe(0)
  expect(agency.calls).toEqual([{ verb, args }])
})

test('the text to send may come from standard input, without its last line break', async () => {
  const agency = recordingAgency()
  await runCli(['agent', 'send', 'x', '-'], { agency, input: 'yes\n' })
  expect(agency.calls[0]?.args[1]).toEqual(Buffer.from('yes\r'))
})

test('an agent that outlives being stopped is an error', async () => {
  const agency = recordingAgency({
    stopInvocation: async () => ({ invocation: invocationView().record, ended: false }),
  })
  const ran = await runCli(['agent', 'stop', 'b7c9'], { agency })
  expect(ran.status).toBe(4)
  expect(ran.err).toContain('error_code: E_STILL_RUNNING')
})

test('a mistake in the use of a command leads to its own help', async () => {
  expect((await runCli(['agent', 'show'])).err).toContain('hint: agency agent show --help')
  expect((await runCli(['log', '--frobnicate'])).err).toContain('hint: agency log --help')
  expect((await runCli(['wroktree'])).err).toContain('hint: agency --help')
})

test('agent wait exits 1 when one of them failed', async () => {
  const agency = recordingAgency({
    waitInvocation: async (typed) =>
      invocationView({ runner: 'shell', status: typed === 'bad' ? 'failed' : 'finished' }),
  })
  expect((await runCli(['agent', 'wait', 'good', 'fine'], { agency })).status).toBe(0)
  expect((await runCli(['agent', 'wait', 'good', 'bad', '--timeout', '1.5'], { agency })).status).toBe(1)
  expect(agency.calls.at(-1)).toEqual({ verb: 'waitInvocation', args: ['bad', { timeout_ms: 1500 }] })
  expect((await runCli(['agent', 'wait', 'good', '--timeout', 'soon'], { agency })).status).toBe(2)
})

test('doctor exits 6 while a problem is left', async () => {
  const agency = recordingAgency({
    diagnose: async () => ({
      findings: [
        {
          level: 'problem',
          subject: 'runner claude',
          message: 'not installed',
          remedy: 'npm i -g claude',
          fixable: false,
        },
        { level: 'ok', subject: 'git', message: '2.45', remedy: null, fixable: false },
      ],
      fixed: ['removed a stale lock'],
    }),
  })
  expect(await runCli(['doctor'], { agency })).toEqual({
    status: 6,
    err: '',
    out: [
      'fixed    removed a stale lock',
      'ok       git            2.45',
      'PROBLEM  runner claude  not installed',
      '                        -> npm i -g claude',
      '',
      '1 problem',
      '',
    ].join('\n'),
  })
})

test('a patch goes verbatim into a pipe and made safe to a terminal', async () => {
  const patch = '--- a/x\n+++ b/x\n+\x1b[2J\ttab\n'
  const agency = recordingAgency({
    diffInvocation: async () => ({
      ...(await recordingAgency().diffInvocation('x')),
      patch: Buffer.from(patch),
    }),
  })
  expect((await runCli(['agent', 'diff', 'x', '--patch'], { agency })).out).toBe(patch)
  const shown = await runCli(['agent', 'diff', 'x', '--patch', '--no-color'], { agency, terminal: 80 })
  expect(shown.out).toBe('--- a/x\n+++ b/x\n+\\x1b[2J   tab\n')
})
