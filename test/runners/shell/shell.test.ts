// The plans of the shell runner are executed, because only a shell proves the quoting.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LaunchRequest } from '../../../src/core/model/runner.ts'
import { shell } from '../../../src/runners/shell/shell.ts'
import { makeScratch } from '../../support/git/repository.ts'
import { launchRequest } from '../../support/runners/launch-request.ts'

/** Runs the plan to its end; `typed` is what the person types into a headed shell. */
async function run(
  changes: Partial<LaunchRequest>,
  typed = '',
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly output: string; readonly status: number | null }> {
  const probed = await shell.probe(process.env)
  if (probed.state !== 'ready') throw new Error('there is no sh')
  const [file, ...args] = shell.planLaunch(launchRequest(changes), probed.executable).argv
  const { stdout, stderr, status } = spawnSync(file, args, {
    cwd: makeScratch(),
    input: typed,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...env },
  })
  return { output: stdout + stderr, status }
}

test('a script of several lines with quotes runs as written', async () => {
  const prompt = `for word in "a b" 'c"d'; do\n  echo "[$word]"\ndone\nexit 3`
  expect(await run({ prompt })).toEqual({ output: '[a b]\n[c"d]\n', status: 3 })
})

test('the arguments of the person reach the script', async () => {
  expect((await run({ prompt: 'echo "$#:$1:$2"', extra_args: ['-n', "it's"] })).output).toBe("2:-n:it's\n")
})

test('a script that begins like an option is looked up as a command', async () => {
  const { output, status } = await run({ prompt: '-c' })
  expect(status).toBe(127)
  expect(output).toContain('not found')
})

test('a script of 1 MB runs', async () => {
  const prompt = `${'# padding\n'.repeat(100_000)}echo "got $1"`
  const path = join(makeScratch(), 'prompt.md')
  writeFileSync(path, prompt)
  const request = { prompt, prompt_path: path, extra_args: ['it'] }
  expect((await run(request)).output).toBe('got it\n')
  expect((await run({ ...request, mode: 'headed' })).output).toBe('got it\n')
})

test('headed without a prompt is the shell of the person', async () => {
  expect((await run({ mode: 'headed', prompt: null }, 'echo here; exit 4')).output).toBe('here\n')
})

test('headed with a prompt runs it and stays open', async () => {
  const prompt = `echo "first $1"; exit 9`
  const ended = await run({ mode: 'headed', prompt, extra_args: ["it's"] }, 'echo then; exit 5\n')
  expect(ended).toEqual({ output: "first it's\nthen\n", status: 5 })
})

test('headed without SHELL there is still a shell', async () => {
  const { output } = await run({ mode: 'headed', prompt: 'echo ran' }, '', { SHELL: '' })
  expect(output).toBe('ran\n')
})

test('an interrupt ends the command and leaves the shell', async () => {
  const prompt = `kill -INT $PPID; kill -INT $$; echo not reached`
  const { output } = await run({ mode: 'headed', prompt }, 'echo still here\n')
  expect(output.trim()).toBe('still here')
})
