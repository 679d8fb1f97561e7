import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WorktreeRecord } from '../../src/core/model/worktree.ts'
import { repoPaths } from '../../src/core/store/paths.ts'
import { makeScratch } from '../support/git/repository.ts'
import { type Desk, makeDesk, PROGRAM, type Ran } from '../support/processes/cli.ts'
import { openTerminalAt } from '../support/processes/outer-terminal.ts'
import { processesWith } from '../support/processes/processes.ts'
import { sample } from '../support/run/sampled.ts'

const HEADLESS = ['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--headless']

const codeOf = ({ stdout, stderr }: Ran): string | undefined => /E_[A-Z_]+/.exec(stdout + stderr)?.[0]

/** Nothing that a start makes: no record, no sandbox, no host. */
async function expectNothingStarted(desk: Desk): Promise<void> {
  expect(await desk.list()).toMatchObject({ invocations: [], broken: [] })
  expect(processesWith('XDG_RUNTIME_DIR', desk.scratch)).toEqual([])
}

sample(test).each<[code: string, args: readonly string[]]>([
  ['E_USAGE', [...HEADLESS, '--promt', 'Go']],
  ['E_USAGE', ['agent', 'start', '--worktree']],
  ['E_USAGE', ['agent', 'start', '--json', '--worktree', 'feature', '--prompt']],
  ['E_USAGE', ['run', '--headless', '--prompt', 'Go']],
  ['E_USAGE', ['agent', 'start', 'feature']],
  ['E_USAGE', [...HEADLESS, '--prompt-file', '/none/at/all']],
  ['E_USAGE', [...HEADLESS, '--prompt', 'Go', '--from', 'b7c9@x']],
  ['E_NO_TERMINAL', ['run', '--name', 'other']],
  ['E_PROMPT_MISSING', [...HEADLESS]],
  ['E_NOT_A_REPOSITORY', [...HEADLESS, '--prompt', 'Go', '-C', '/']],
  ['E_INVOCATION_NOT_FOUND', [...HEADLESS, '--prompt', 'Go', '--resume', 'b7c9', '--json']],
  ['E_INVOCATION_NOT_FOUND', [...HEADLESS, '--prompt', 'Go', '--from', 'b7c9@1']],
  ['E_RUNNER_UNKNOWN', ['agent', 'start', '--worktree', 'feature', '--runner', 'nobody', '--detached']],
  ['E_ENVIRONMENT_UNKNOWN', [...HEADLESS, '--prompt', 'Go', '--env', 'hologram']],
  ['E_NAME_INVALID', ['run', '--name', 'No Name', '--detached']],
])('%s is said, and nothing is started: agency %j', async (code, args) => {
  const desk = makeDesk()
  await desk.worktree('feature')
  expect(codeOf(await desk.run(args))).toBe(code)
  await expectNothingStarted(desk)
})

test('a configuration that is not valid is refused, and nothing is started', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const home = makeScratch()
  mkdirSync(join(home, 'agency'))
  writeFileSync(join(home, 'agency', 'config.toml'), 'default_runer = "shell"\n')
  const args = [...HEADLESS, '--prompt', 'Go', '--detached']
  expect(codeOf(await desk.run(args, { env: { XDG_CONFIG_HOME: home } }))).toBe('E_CONFIG_INVALID')
  await expectNothingStarted(desk)
})

test('a run is shown to its end', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const ran = await desk.run([...HEADLESS, '--prompt', 'echo hi > new.txt; echo done; exit 3'])
  expect(ran.exitCode).toBe(1)
  expect(ran.stderr + ran.stdout).toContain('+1 -0 in 1 file')
})

test('a landing that an older version was interrupted in is finished before it starts anything', async () => {
  const desk = makeDesk()
  const { worktree_id, known_head, repo_id }: WorktreeRecord = await desk.worktree('feature')
  const { oldJournals } = repoPaths(desk.dataDir, repo_id)
  const journal = oldJournals.landing
  writeFileSync(
    journal,
    JSON.stringify({
      ...{ schema_version: '1.0', worktree_id, from: known_head, to: known_head, reason: 'land', token: 'x' },
      ...{ begun_at: Date.now(), writers: [], missing: [], completion: null },
    }),
  )
  await desk.start('feature', 'true')
  expect(existsSync(journal)).toBe(false)
})

const onTerminal = (desk: Desk, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  openTerminalAt([process.execPath, PROGRAM, ...args], {
    cwd: desk.root,
    env: { ...process.env, ...desk.env, ...env },
  })

test('a prompt that is not given is asked for in the editor', async () => {
  const desk = makeDesk()
  const editor = `sh -c 'echo "echo from the editor" > "$0"'`
  const terminal = onTerminal(desk, ['run', '--name', 'fix-1', '--runner', 'shell', '--headless'], {
    EDITOR: editor,
  })
  await terminal.shows('from the editor')
  expect((await terminal.ended).exitCode).toBe(0)
})

test('the terminal of a new agent is joined, and left as it was', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const terminal = onTerminal(desk, ['agent', 'start', '--worktree', 'feature', '--runner', 'shell'])
  await terminal.until(() => terminal.alternate(), 'a screen of its own')
  terminal.type('echo "it is $((6 * 7))"\r')
  await terminal.shows('it is 42')
  terminal.type('exit\r')
  await terminal.shows('the agent ended')
  expect((await terminal.ended).exitCode).toBe(0)
  expect(terminal.alternate()).toBe(false)
})
