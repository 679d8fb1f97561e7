// What an agent plants in its tree, in the shared repository or beside it never runs as agency's own git, whichever
// verb the person uses. Each plant creates the canary when it runs.

import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { type Desk, makeDesk } from '../support/cli.ts'
import { git } from '../support/repository.ts'
import { shell } from '../support/sandbox.ts'

interface Stage {
  readonly desk: Desk
  readonly canary: string
  readonly tree: string
  readonly id: string
}

async function setStage(): Promise<Stage> {
  const desk = makeDesk({ 'README.md': 'Hello\n', 'a.txt': 'one\n' })
  await desk.worktree('one')
  const agent: InvocationRecord = await desk.start('one', 'true')
  await desk.run(['agent', 'wait', agent.invocation_id])
  return { desk, canary: join(desk.scratch, 'canary'), tree: agent.sandbox_path, id: agent.invocation_id }
}

function program(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Every verb that has git look at the sandbox, the worktree or the repository. */
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

describe('a program that an agent planted', () => {
  it('does not run as git, where the person has a relative directory on PATH', async () => {
    const stage = await setStage()
    for (const name of ['git', 'sh', 'rm', 'find', 'mkfifo', 'ps']) {
      program(join(stage.tree, 'bin', name), `touch '${stage.canary}'; exec /usr/bin/${name} "$@"`)
    }
    await useEverything(stage, { PATH: `./bin:bin::${process.env['PATH'] ?? ''}` })
    expect(existsSync(stage.canary)).toBe(false)
  })

  it('does not run as a remote from which missing objects are fetched', async () => {
    const stage = await setStage()
    const evil = program(join(stage.desk.scratch, 'evil'), `touch '${stage.canary}'; exit 1`)
    const { root } = stage.desk
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.url', root],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.uploadpack', evil],
      ['extensions.worktreeConfig', 'true'],
    ] as const)
      git(root, 'config', key, value)
    shell(stage.tree, 'echo work > work; git add work; git commit -qm work')
    await useEverything(stage)
    const blob = git(root, 'rev-parse', 'main:a.txt')
    shell(root, `rm -f .git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`)
    for (const verb of ['diff', 'land', 'discard']) await stage.desk.run(['agent', verb, stage.id])
    await stage.desk.run(['worktree', 'create', '--name', 'two'])
    expect(existsSync(stage.canary)).toBe(false)
  })

  it('does not run by any setting, hook, attribute or nested repository in the shared repository or its own tree', async () => {
    const stage = await setStage()
    const { canary, tree, desk } = stage
    const evil = program(join(desk.scratch, 'evil'), `touch '${canary}'; cat`)
    const settings = plantSettings(evil)
    for (const [key, value] of Object.entries(settings)) git(desk.root, 'config', key, value)
    git(desk.root, 'config', 'extensions.worktreeConfig', 'true')
    const gitDir = git(tree, 'rev-parse', '--absolute-git-dir')
    for (const [key, value] of Object.entries(settings)) git(tree, 'config', '--worktree', key, value)
    for (const hook of HOOKS) program(join(desk.root, '.git/hooks', hook), `touch '${canary}'`)
    writeFileSync(join(desk.root, '.git/info/attributes'), '* filter=evil diff=evil merge=evil\n')
    plantRoom(gitDir, evil)
    shell(
      tree,
      `printf '* filter=evil diff=evil merge=evil\\n' > .gitattributes
       echo two > a.txt
       git init -q nested; git -C nested config core.fsmonitor '${evil}'; git -C nested config filter.evil.clean '${evil}'
       echo x > nested/x; git -c core.fsmonitor=false -C nested add x; git -C nested -c user.name=x -c user.email=x commit -qm x
       printf '[submodule "nested"]\\n\\tpath = nested\\n\\turl = ./nested\\n\\tupdate = !${evil}\\n' > .gitmodules
       rm -f '${canary}'`,
    )
    await useEverything(stage)
    expect(existsSync(canary)).toBe(false)
  })
})

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

/** The administration of the sandbox points to a common directory of the agent's own. */
function plantRoom(gitDir: string, evil: string): void {
  const room = join(dirname(dirname(gitDir)), 'evil-room')
  git(dirname(dirname(gitDir)), 'init', '-q', '--bare', room)
  for (const [key, value] of Object.entries(plantSettings(evil))) git(room, 'config', key, value)
  writeFileSync(join(gitDir, 'commondir'), `${room}\n`)
}
