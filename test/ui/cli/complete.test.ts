import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/ui/cli/commands/commands.ts'
import { complete } from '../../../src/ui/cli/complete.ts'
import { completionScript } from '../../../src/ui/cli/completion-scripts.ts'
import { makeScratch } from '../../support/git/repository.ts'
import { bundleProgram } from '../../support/run/bundle.ts'
import { memoryConsole, runCli, type Surroundings } from '../../support/scene/command-line.ts'
import { recordingAgency } from '../../support/scene/recording-agency.ts'

async function offered(words: readonly string[], surroundings: Surroundings = {}): Promise<string[]> {
  const console = memoryConsole(surroundings)
  await complete(words, COMMANDS, console)
  return console.written.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '')
}

test.each([
  ['commands', ['wor'], ['worktree']],
  ['commands of a group', ['agent', 'st'], ['start', 'stop']],
  ['options', ['worktree', 'create', '--p'], ['--parent']],
  ['global options', ['agent', 'ls', '--js'], ['--json']],
  ['worktrees', ['worktree', 'show', ''], ['my-feature']],
  ['worktrees as an option', ['agent', 'start', '--worktree', ''], ['my-feature']],
  ['agents', ['agent', 'land', '2026'], ['20260128120500-b7c9']],
  ['more than one agent', ['agent', 'wait', 'x', ''], ['20260128120500-b7c9']],
  ['checkpoints of an agent', ['checkpoint', 'show', 'b7c9', ''], ['2', '1']],
  ['checkpoints of an agent by option', ['checkpoint', 'apply', '--invocation', 'b7c9', ''], ['2', '1']],
  ['checkpoints behind an @', ['agent', 'start', '--from', 'b7c9@'], ['b7c9@2', 'b7c9@1']],
  ['runners', ['agent', 'start', '--runner', 's'], ['shell']],
  ['words of a set', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['files', ['agent', 'start', '--prompt-file', ''], [':files']],
  ['directories', ['-C', ''], [':directories']],
  ['behind -C', ['-C', '/x', 'agent', 'st'], ['start', 'stop']],
  ['nothing for free text', ['agent', 'start', '--prompt', ''], []],
  ['nothing behind --', ['agent', 'start', '--', ''], []],
  ['nothing behind the last argument', ['worktree', 'show', 'x', ''], []],
])('%s are offered', async (_, words, expected) => {
  expect(await offered(words)).toEqual(expected)
})

test('every command can be completed from its beginning', async () => {
  for (const { path } of COMMANDS) {
    expect(await offered([...path.slice(0, -1), ''])).toContain(path.at(-1))
  }
})

test('names are looked for where -C leads', async () => {
  const places: string[] = []
  const open = async (cwd: string) => {
    places.push(cwd)
    return recordingAgency()
  }
  await offered(['-C', '/a', 'agent', '-C', 'b', 'show', ''], { open })
  expect(places).toEqual(['/a/b'])
})

test('an error offers nothing and says nothing', async () => {
  const console = memoryConsole({
    open: async () => {
      throw new Error('no repository')
    },
  })
  await complete(['agent', 'show', ''], COMMANDS, console)
  expect(console.written).toEqual({ out: '', err: '' })
})

test('a shell that is not known is refused', async () => {
  const ran = await runCli(['completion', 'tcsh'])
  expect(ran.status).toBe(2)
  expect(ran.err).toContain('one of: bash, zsh, fish')
})

let path: string

beforeAll(async () => {
  const program = await bundleProgram('test/fixtures/completing-program.ts')
  const bin = join(program, '..', 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'agency'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(bin, 'agency'), 0o755)
  path = `${bin}:${process.env['PATH']}`
})

/** What bash would offer for the last of the words. */
const ASK_BASH = `${completionScript('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agency; printf '%s\n' "\${COMPREPLY[@]}"`

function askBash(words: readonly string[], cwd = process.cwd()): string[] {
  const options = { cwd, encoding: 'utf8', env: { PATH: path } } as const
  const out = execFileSync('bash', ['--norc', '-c', ASK_BASH, 'bash', 'agency', ...words], options)
  return out.split('\n').filter((line) => line !== '')
}

test('bash completes commands, names and paths', () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch, 'my task.md'), '')
  mkdirSync(join(scratch, 'my dir'))
  expect(askBash(['agent', 'st'])).toEqual(['start', 'stop'])
  expect(askBash(['worktree', 'rm', 'm'])).toEqual(['my-feature'])
  expect(askBash(['agent', 'start', '--prompt-file', 'my'], scratch).sort()).toEqual(['my dir', 'my task.md'])
  expect(askBash(['-C', 'my'], scratch)).toEqual(['my dir'])
  expect(askBash(['-C', 'no-repository', 'worktree', 'rm', ''])).toEqual([])
})

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

test.skipIf(!has('fish'))('fish completes commands and names', () => {
  const ask = `${completionScript('fish')}\ncomplete -C 'agency agent st'; complete -C 'agency worktree rm m'`
  const out = execFileSync('fish', ['--no-config', '-c', ask], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  })
  expect(out).toContain('start\t')
  expect(out).toContain('my-feature\tagency/my-feature-a3f2')
})

/** zsh's own half of completion needs a terminal, so the test puts something else in its place. */
const ASK_ZSH = `compdef() { }; _describe() { print -rl -- "\${(@P)2}" }
${completionScript('zsh')}
words=("$@"); CURRENT=$#; _agency`

test.skipIf(!has('zsh'))('zsh completes commands and names', () => {
  const ask = (...words: string[]): string =>
    execFileSync('zsh', ['-f', '-c', ASK_ZSH, 'zsh', 'agency', ...words], {
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    })
  expect(ask('agent', 'st')).toMatch(/^start:Start an agent .*\nstop:Ask an agent .*\n$/)
  expect(ask('worktree', 'rm', '')).toBe('my-feature:agency/my-feature-a3f2\n')
})
