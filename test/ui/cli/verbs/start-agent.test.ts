import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Agency } from '../../../../src/core/facade/agency.ts'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { runCommandLine } from '../../../../src/ui/cli/command-line.ts'
import { COMMANDS } from '../../../../src/ui/cli/commands/commands.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { FINISHED, invocationRecord, invocationView, usageOf } from '../../../support/records/records.ts'
import { memoryConsole, parseEnvelope, runCli } from '../../../support/scene/command-line.ts'
import { type RecordingAgency, recordingAgency } from '../../../support/scene/recording-agency.ts'

const HEADLESS = ['agent', 'start', '--worktree', 'w', '--headless'] as const

const requestOf = (agency: RecordingAgency): unknown =>
  agency.calls.find(({ verb }) => verb === 'startInvocation')?.args[0]

test('all that was typed reaches the facade', async () => {
  const agency = recordingAgency()
  const options = [
    '--runner',
    'codex',
    '--model',
    'big',
    '--name',
    'fixer',
    '--env',
    'local',
    '--resume',
    'b7c9',
  ]
  const flags = [
    '--detached',
    '--no-start',
    '--no-include-untracked',
    '--runner-arg',
    '--json',
    '--runner-arg',
    '-C',
  ]
  const ran = await runCli([...HEADLESS, ...options, ...flags, '--prompt', 'Go', '--', '-x', '--no-color'], {
    agency,
  })
  expect(ran.status).toBe(0)
  expect(requestOf(agency)).toEqual({
    worktree: 'w',
    mode: 'headless',
    prompt: 'Go',
    prompt_source: 'text',
    runner: 'codex',
    model: 'big',
    environment: 'local',
    resume: 'b7c9',
    name: 'fixer',
    extra_args: ['--json', '-C', '-x', '--no-color'],
    include_untracked: false,
    no_start: true,
  })
})

test('a detached start says which invocation it is', async () => {
  const ran = await runCli([...HEADLESS, '--detached', '--prompt', 'Go'])
  expect(ran).toEqual({ status: 0, out: 'started b7c9 (claude) 20260128120500-b7c9\n', err: '' })
  const json = await runCli([...HEADLESS, '--detached', '--prompt', 'Go', '--json'])
  expect(parseEnvelope(json).data).toEqual({ invocation: invocationRecord() })
})

test('the prompt may come from a file relative to -C, or from standard input', async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch, 'task.md'), '# Task\n\nFix it\n')
  const agency = recordingAgency()
  await runCli([...HEADLESS, '--detached', '-C', scratch, '--prompt-file', 'task.md'], { agency })
  expect(requestOf(agency)).toMatchObject({ prompt: '# Task\n\nFix it\n', prompt_source: 'file' })
  const other = recordingAgency()
  await runCli([...HEADLESS, '--detached', '--prompt-file', '-'], { agency: other, input: 'From\nstdin' })
  expect(requestOf(other)).toMatchObject({ prompt: 'From\nstdin', prompt_source: 'stdin' })
})

test.each([
  ['no prompt and no one to ask', [], 'E_PROMPT_MISSING'],
  ['an empty prompt', ['--prompt', ' \n'], 'E_PROMPT_MISSING'],
  ['two prompts', ['--prompt', 'a', '--prompt-file', 'b'], 'E_USAGE'],
  ['a file that is not there', ['--prompt-file', '/none/x'], 'E_USAGE'],
  ['a NUL byte', ['--prompt', 'a\0b'], 'E_USAGE'],
])('%s starts nothing', async (_, options, code) => {
  const agency = recordingAgency()
  const ran = await runCli([...HEADLESS, ...options], { agency })
  expect(ran.status).toBe(2)
  expect(ran.err).toMatch(new RegExp(`^error_code: ${code}\n`))
  expect(agency.calls).toEqual([])
})

test('a headed start needs a terminal unless it is detached', async () => {
  const agency = recordingAgency()
  const refused = await runCli(['agent', 'start', '--worktree', 'w'], { agency })
  expect(refused.err).toMatch(/^error_code: E_NO_TERMINAL\n/)
  expect(agency.calls).toEqual([])
  await runCli(['agent', 'start', '--worktree', 'w', '--detached'], { agency })
  expect(requestOf(agency)).toMatchObject({ mode: 'headed', prompt: null, prompt_source: 'none' })
})

function editor(script: string): string {
  const path = join(makeScratch(), 'my editor')
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return `'${path}' --wait`
}

const asked = { terminal: 80 }

test('on a terminal a prompt that is missing is asked for in the editor', async () => {
  const agency = recordingAgency()
  const VISUAL = editor('{ printf "# Title\\n\\nFix it\\n"; cat "$2"; } > "$2.new" && mv "$2.new" "$2"')
  const ran = await runCli([...HEADLESS, '--detached'], { ...asked, agency, env: { VISUAL } })
  expect(ran.err).toBe('')
  expect(requestOf(agency)).toMatchObject({ prompt: '# Title\n\nFix it', prompt_source: 'editor' })
})

test('an editor that is left without a word starts nothing', async () => {
  const agency = recordingAgency()
  const ran = await runCli([...HEADLESS], { ...asked, agency, env: { VISUAL: 'true' } })
  expect(ran.err).toContain('E_PROMPT_MISSING')
  expect(requestOf(agency)).toBeUndefined()
})

test.each([
  ['fails', 'false', 'ended with exit status 1'],
  ['is not there', '/none/editor', 'could not run /none/editor'],
  ['is not set', '', 'no editor is set'],
  ['has an open quote', "ed 'x", 'a quote is not closed'],
])('an editor that %s is E_EDITOR_FAILED', async (_, VISUAL, message) => {
  const ran = await runCli([...HEADLESS], { ...asked, env: { VISUAL } })
  expect(ran.status).toBe(6)
  expect(ran.err).toContain('E_EDITOR_FAILED')
  expect(ran.err).toContain(message)
})

test('the configured editor comes before VISUAL and EDITOR', async () => {
  const agency: Agency = { ...recordingAgency(), config: { editor: editor('exit 7') } }
  const ran = await runCli(['worktree', 'open', 'w'], {
    agency,
    cwd: makeScratch(),
    env: { VISUAL: 'true', EDITOR: 'true' },
  })
  expect(ran.err).toContain('exit status 7')
})

interface Told {
  readonly stream: string
  readonly agency: RecordingAgency
  finish(change?: Parameters<typeof invocationView>[0]): void
}

/** A headless run that ends when the test says so. */
function headlessRun(answers: Partial<Agency> = {}): Told {
  const stream = join(makeScratch(), 'stream.jsonl')
  let finish: Told['finish'] = () => {}
  const ended = new Promise<ReturnType<typeof invocationView>>((resolve) => {
    finish = (change = {}) => resolve(invocationView({ ...FINISHED, ...change }, { display: 'ready' }))
  })
  const agency = recordingAgency({
    logPaths: async () => ({ raw: '', stderr: '', cast: '', stream }),
    waitInvocation: () => ended,
    ...answers,
  })
  return { stream, agency, finish }
}

const event = (kind: string, facts: object): string =>
  `${JSON.stringify({ at: '2026-01-28T12:05:01.000Z', kind, ...facts })}\n`

test('a headless run shows its progress on standard error and ends with the verdict', async () => {
  const run = headlessRun()
  const console = memoryConsole({ agency: run.agency })
  const done = runCommandLine([...HEADLESS, '--prompt', 'Go'], COMMANDS, console)
  writeFileSync(run.stream, event('text', { text: 'Working\x1b[2J' }) + event('unknown', {}))
  run.finish({ usage: usageOf() })
  expect(await done).toBe(0)
  expect(console.written.err).toBe('started b7c9 (claude) 20260128120500-b7c9\nWorking\\x1b[2J\n')
  expect(console.written.out.split('\n')).toEqual([
    'finished b7c9 (claude): +0 -0 in 0 files; 3 turns, 12k in, 900 out, $0.31',
    'it changed nothing',
    'to let it write, start it again with: --runner-arg --permission-mode --runner-arg acceptEdits',
    '',
  ])
})

test('a runner that failed exits 1 and says why', async () => {
  const run = headlessRun()
  run.finish({ status: 'failed', exit_code: 2, failure: 'API error', runner: 'shell' })
  const ran = await runCli([...HEADLESS, '--prompt', 'Go'], { agency: run.agency })
  expect(ran.status).toBe(1)
  expect(ran.out).toBe('failed (exit 2) b7c9 (shell): +0 -0 in 0 files\n  API error\n')
})

test('refused tool calls are said loudly, with what to type', async () => {
  const run = headlessRun()
  run.finish({ usage: usageOf({ denied_tools: ['Write', 'Bash', 'Write'] }), runner: 'codex' })
  const ran = await runCli([...HEADLESS, '--prompt', 'Go'], { agency: run.agency })
  expect(ran.status).toBe(0)
  expect(ran.out).toContain('3 tool calls were DENIED (Write, Bash), and it changed nothing')
  expect(ran.out).toContain('--runner-arg -s --runner-arg workspace-write')
})

test('Ctrl-C stops the showing; the agent goes on', async () => {
  const run = headlessRun()
  const console = memoryConsole({ agency: run.agency })
  const done = runCommandLine([...HEADLESS, '--prompt', 'Go'], COMMANDS, console)
  await new Promise<void>((resolve) => console.stderr.once('data', () => resolve()))
  console.interrupt()
  expect(await done).toBe(130)
  expect(console.written.out).toContain('b7c9 (claude) goes on.')
  expect(run.agency.calls.map(({ verb }) => verb)).not.toContain('stopInvocation')
})

test('Ctrl-C while the sandbox is being made lets the start end first', async () => {
  let started = (): void => {}
  const run = headlessRun({
    startInvocation: () =>
      new Promise((resolve) => {
        started = () => resolve(invocationRecord())
        console.interrupt()
      }),
  })
  const console = memoryConsole({ agency: run.agency })
  const done = runCommandLine([...HEADLESS, '--prompt', 'Go'], COMMANDS, console)
  await expect.poll(() => run.agency.calls.map(({ verb }) => verb)).toContain('startInvocation')
  started()
  expect(await done).toBe(130)
})

test('agency run makes the worktree and starts an agent for it', async () => {
  const agency = recordingAgency()
  const ran = await runCli(
    [
      'run',
      '--name',
      'fix-1',
      '--agent-name',
      'fixer',
      '--headless',
      '--detached',
      '--prompt',
      'Go',
      '--json',
    ],
    { agency },
  )
  expect(agency.calls.map(({ verb }) => verb)).toEqual(['createWorktree', 'startInvocation'])
  expect(requestOf(agency)).toMatchObject({ worktree: '20260128120000-a3f2', name: 'fixer' })
  expect(parseEnvelope(ran).data).toMatchObject({
    worktree: { name: 'fix-1' },
    invocation: { runner: 'claude' },
  })
})

test('agency run makes no worktree for a command line that cannot work', async () => {
  const agency = recordingAgency()
  expect((await runCli(['run', '--name', 'fix-1'], { agency })).err).toContain('E_NO_TERMINAL')
  expect((await runCli(['run', '--name', 'fix-1', '--headless'], { agency })).err).toContain(
    'E_PROMPT_MISSING',
  )
  expect(agency.calls).toEqual([])
})

test('agency run says that the worktree stays when its agent cannot be started', async () => {
  const agency = recordingAgency({
    startInvocation: async () => {
      throw new AgencyError('E_RUNNER_MISSING', 'claude is not installed', { hint: 'npm i -g claude' })
    },
  })
  const ran = await runCli(['run', '--name', 'fix-1', '--headless', '--prompt', 'Go'], { agency })
  expect(ran.status).toBe(6)
  expect(ran.err).toContain('The worktree fix-1 was made and stays.')
  expect(ran.err).toContain('agency agent start --worktree fix-1')
})
