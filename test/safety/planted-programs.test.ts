// agency's own git never runs what an agent planted in its tree, in the shared repository or beside it, whichever verb
// the person uses. Each plant leaves a file `ran-…` when it runs.

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { git } from '../support/git/repository.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import { shell } from '../support/scene/sandbox.ts'

interface Stage {
  readonly desk: Desk
  readonly tree: string
  readonly id: string
}

async function setStage(): Promise<Stage> {
  const desk = makeDesk({ 'README.md': 'Hello\n', 'a.txt': 'one\n' })
  await desk.worktree('one')
  const agent: InvocationRecord = await desk.start('one', 'true')
  await desk.run(['agent', 'wait', agent.invocation_id])
  return { desk, tree: showPath(agent.sandbox_path), id: agent.invocation_id }
}

function program(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Uses every verb that has git look at the sandbox, the worktree or the repository. */
async function useEverything({ desk, id, tree }: Stage, env: Record<string, string> = {}): Promise<void> {
  const run = (...args: string[]) => desk.run(args, { env })
  const ran = [
    await run('agent', 'ls', '--all'),
    await run('agent', 'show', id),
    await run('agent', 'diff', id, '--patch'),
    await run('agent', 'land', id, '--apply'),
    await run('undo'),
    await run('redo'),
    await run('undo'),
    await run('agent', 'discard', id),
    await run('undo'),
    await run(
      'agent',
      'start',
      '--worktree',
      'one',
      '--runner',
      'shell',
      '--headless',
      '--no-start',
      '--prompt',
      'x',
    ),
    await run('worktree', 'rm', 'one', '--force'),
    await run('undo'),
    await run('gc'),
  ]
  await run('doctor', '--fix')
  expect(ran.filter(({ exitCode }) => exitCode !== 0)).toEqual([])
  expect(existsSync(tree)).toBe(true)
}

describe('what an agent planted', () => {
  it('is run by no verb: programs on a relative PATH, settings, hooks, attributes, remotes, nested repositories', async () => {
    const stage = await setStage()
    const { desk, tree } = stage
    for (const name of ['git', 'sh', 'rm', 'find', 'mkfifo', 'ps']) {
      program(join(tree, 'bin', name), `touch '${desk.scratch}/ran-path'; exec /usr/bin/${name} "$@"`)
    }
    const gitDir = git(tree, 'rev-parse', '--absolute-git-dir')
    const nested = plantNested(stage)
    git(desk.root, 'config', 'extensions.worktreeConfig', 'true')
    plant(desk.root, evilProgram(stage, 'settings'), '--local')
    plant(tree, evilProgram(stage, 'worktree-settings'), '--worktree')
    plantRemote(stage)
    for (const hook of HOOKS) program(join(desk.root, '.git/hooks', hook), `touch '${desk.scratch}/ran-hook'`)
    writeFileSync(join(desk.root, '.git/info/attributes'), '* filter=evil diff=evil merge=evil\n')
    writeFileSync(join(tree, '.gitattributes'), '* filter=evil diff=evil merge=evil\n')
    writeFileSync(join(tree, 'a.txt'), 'two\n')
    plantRoom(stage, gitDir)
    await useEverything(stage, { PATH: `./bin:bin::${process.env['PATH'] ?? ''}` })
    expect(hasRun(stage)).toEqual([])
    // A git without protection does run them, so the plants work.
    spawnSync('git', ['status'], { cwd: nested })
    spawnSync('git', ['status'], { cwd: desk.root })
    expect(hasRun(stage)).toEqual(expect.arrayContaining(['ran-nested', 'ran-settings']))
  })

  it('is not run where an object is missing, to fetch it', async () => {
    const stage = await setStage()
    const { desk, tree, id } = stage
    shell(tree, 'echo work > work')
    plantRemote(stage)
    const blob = git(desk.root, 'rev-parse', 'main:a.txt')
    const drop = () =>
      rmSync(join(desk.root, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
    drop()
    await desk.run(['agent', 'diff', id, '--patch'])
    await desk.run(['agent', 'land', id, '--apply'])
    await desk.run(['worktree', 'create', '--name', 'two'])
    expect(hasRun(stage)).toEqual([])
    drop()
    spawnSync('git', ['cat-file', '-p', blob], { cwd: desk.root })
    expect(hasRun(stage)).toEqual(['ran-remote'])
  })
})

const hasRun = ({ desk }: Stage): string[] =>
  readdirSync(desk.scratch).filter((name) => name.startsWith('ran-'))

/** A program as git gives it to a shell. As a filter, it answers with what it is given. */
const evilProgram = ({ desk }: Stage, what: string, then = 'cat'): string =>
  `'${program(join(desk.scratch, `evil-${what}`), `touch '${desk.scratch}/ran-${what}'; ${then}`)}'`

function plant(cwd: string, evil: string, where: '--local' | '--worktree'): void {
  for (const [key, value] of Object.entries(plantSettings(evil))) git(cwd, 'config', where, key, value)
}

/** Plants a remote from which git would fetch missing objects. */
function plantRemote(stage: Stage): void {
  const { root } = stage.desk
  for (const [key, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'evil'],
    ['remote.evil.url', root],
    ['remote.evil.promisor', 'true'],
    ['remote.evil.uploadpack', evilProgram(stage, 'remote', 'exit 1')],
  ] as const)
    git(root, 'config', key, value)
}

function plantNested(stage: Stage): string {
  const nested = join(stage.tree, 'nested')
  const evil = evilProgram(stage, 'nested')
  shell(
    stage.tree,
    'git init -q nested; echo x > nested/x; git -C nested add x; git -C nested commit -qm x; echo y > nested/x',
  )
  for (const key of ['core.fsmonitor', 'filter.evil.clean']) git(nested, 'config', key, evil)
  const submodule = `[submodule "nested"]\n\tpath = nested\n\turl = ./nested\n\tupdate = !${evil}\n`
  writeFileSync(join(stage.tree, '.gitmodules'), submodule)
  return nested
}

const HOOKS = [
  'post-checkout',
  'reference-transaction',
  'post-index-change',
  'pre-commit',
  'post-commit',
  'post-rewrite',
  'fsmonitor-watchman',
  'pre-auto-gc',
]

const plantSettings = (evil: string): Record<string, string> => ({
  'core.fsmonitor': evil,
  'core.pager': evil,
  'core.editor': evil,
  'core.askPass': evil,
  'core.sshCommand': evil,
  'core.gitProxy': evil,
  'core.alternateRefsCommand': evil,
  'diff.external': evil,
  'diff.evil.command': evil,
  'diff.evil.textconv': evil,
  'filter.evil.clean': evil,
  'filter.evil.smudge': evil,
  'filter.evil.process': evil,
  'merge.evil.driver': evil,
  'gpg.program': evil,
  'log.showSignature': 'true',
  'credential.helper': `!${evil}`,
  'alias.worktree': `!${evil}`,
  'pager.worktree': evil,
  'sequence.editor': evil,
  'uploadpack.packObjectsHook': evil,
  'trailer.evil.command': evil,
})

/** Makes the sandbox's git directory point to a common directory of the agent's own. */
function plantRoom(stage: Stage, gitDir: string): void {
  const room = join(stage.desk.scratch, 'room.git')
  git(stage.desk.scratch, 'init', '-q', '--bare', room)
  plant(room, evilProgram(stage, 'room'), '--local')
  writeFileSync(join(gitDir, 'commondir'), `${room}\n`)
}
