import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Changeset } from '../../../../src/core/changesets/changeset.ts'
import { openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { parseKeptState } from '../../../../src/core/model/kept-state.ts'
import { sandboxPath, showPath } from '../../../../src/core/model/sandbox-path.ts'
import { git, makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { makeScene, namesBeside, type Scene, shell } from '../../../support/scene/sandbox.ts'

const open = ({ repository, record }: Scene): Changeset => openChangeset(repository, record)
const REF = 'refs/agency/trash/test'

async function changesOf(scene: Scene) {
  const changeset = open(scene)
  const capture = await changeset.capture()
  const from = scene.record.base_commit
  return changeset.changes({ from, to: capture.state_tree, ignore_whitespace: false }, capture)
}

test('changes name every path with its kind, modes, lines and whether a commit holds it', async () => {
  const scene = await makeScene({
    edited: 'one\ntwo\n',
    gone: 'only here\n',
    moved: 'a long line that is the same in both\nand another one\nand a third\n',
    turned: 'file\n',
    run: 'sh\n',
  })
  shell(
    scene.tree,
    `git mv moved 'where to'; chmod +x run; git commit -qam moved
     echo three >> edited; rm gone; rm turned; ln -s edited turned; printf '\\0\\1' > binary; printf 'x' > 'new
line'`,
  )
  writeFileSync(Buffer.from(`${scene.tree}/caf\xe9`, 'latin1'), 'x\n')
  const changes = await changesOf(scene)
  const brief = changes.map((change) => [
    change.kind,
    change.path,
    change.from_path,
    change.new_mode,
    change.added,
    change.deleted,
    change.uncommitted,
  ])
  expect(brief).toEqual([
    ['added', 'binary', null, '100644', null, null, true],
    ['added', 'caf\ufffd', null, '100644', 1, 0, true],
    ['modified', 'edited', null, '100644', 1, 0, true],
    ['deleted', 'gone', null, '000000', 0, 1, true],
    ['added', 'new\nline', null, '100644', 1, 0, true],
    ['modified', 'run', null, '100755', 0, 0, false],
    ['type_changed', 'turned', null, '120000', 1, 1, true],
    ['renamed', 'where to', 'moved', '100644', 0, 0, false],
  ])
  expect(changes.filter((change) => change.binary).map((change) => change.path)).toEqual(['binary'])
})

test('a kept state holds HEAD, what was staged and the branch that HEAD had left', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(
    scene.tree,
    `echo own > own; git add own; git commit -qm own
     git checkout -q --detach HEAD~1; git commit -q --allow-empty -m apart; echo s > s; git add s; echo w > w`,
  )
  const changeset = open(scene)
  const capture = await changeset.capture()
  const commit = await changeset.keep(REF, capture)
  expect(git(scene.root, 'rev-parse', REF)).toBe(commit)
  const parents = git(scene.root, 'log', '-1', '--format=%P', commit).split(' ')
  expect(parents[0]).toBe(capture.head)
  expect(git(scene.root, 'rev-parse', `${parents[1]}^{tree}`)).toBe(capture.index_tree)
  expect(parents[2]).toBe(git(scene.root, 'rev-parse', scene.record.sandbox_branch))
  expect(parseKeptState(git(scene.root, 'log', '-1', '--format=%B', commit))).toMatchObject({
    head: capture.head,
    head_ref: null,
    index_tree: capture.index_tree,
    branch: scene.record.sandbox_branch,
    branch_tip: parents[2],
  })
  expect(git(scene.root, 'log', '-1', '--format=%an <%ae>', commit)).toBe('Agency <agency@localhost>')
})

test('a state is kept where signing is on, identity is missing and hooks refuse', async () => {
  const scene = await makeScene()
  git(scene.root, 'config', 'commit.gpgsign', 'true')
  git(scene.root, 'config', 'gpg.program', 'false')
  git(scene.root, 'config', '--unset', 'user.name')
  writeFileSync(join(scene.root, '.git/hooks/reference-transaction'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  writeFiles(scene.tree, { n: 'n\n' })
  const changeset = open(scene)
  await expect(changeset.keep(REF, await changeset.capture())).resolves.toMatch(/^[0-9a-f]{40}$/)
})

test('an agent that adds and commits meanwhile never meets a lock of ours', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const enough = join(makeScratch(), 'enough')
  const agent = spawn(
    'sh',
    [
      '-c',
      `n=0; while [ $n -lt 20 ] || [ ! -e "$0" ]; do
         n=$((n+1)); echo $n > a; git add a && git commit -qm $n || exit 1
       done`,
      enough,
    ],
    {
      cwd: scene.tree,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@a',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@a',
      },
    },
  )
  onTestFinished(() => void agent.kill('SIGKILL'))
  const ended = once(agent, 'exit')
  for (let captures = 0; captures < 20; captures += 1) {
    await open(scene).capture()
  }
  writeFileSync(enough, '')
  expect(await ended).toEqual([0, null])
})

test('files that come, go and are cut short meanwhile cost no capture, and leave nothing behind', async () => {
  const scene = await makeScene({ steady: 'steady\n' })
  const churn = spawn(
    'python3',
    [
      '-c',
      `
import os
while True:
    for name in ('x', 'y', 'd/z'):
        os.makedirs('d', exist_ok=True)
        with open(name, 'wb') as f: f.write(b'x' * 3000000)
        with open(name, 'r+b') as f: f.truncate(10)
        os.unlink(name)
    os.rmdir('d')
`,
    ],
    { cwd: scene.tree, stdio: 'ignore' },
  )
  onTestFinished(() => void churn.kill('SIGKILL'))
  for (let round = 0; round < 12; round++) {
    const { state_tree } = await open(scene).capture()
    expect(git(scene.root, 'show', `${state_tree}:steady`)).toBe('steady')
  }
  expect(namesBeside(scene.tree)).toEqual(['logs', 'tree'])
})

async function refusal(scene: Scene, record: InvocationRecord = scene.record): Promise<unknown> {
  try {
    await openChangeset(scene.repository, record).remove(Date.now())
    return 'removed'
  } catch (error) {
    return error instanceof AgencyError ? error.code : error
  }
}

test('a tree is removed only where it is proved ours', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { record, tree, root } = scene
  const precious = join(root, '..', 'precious')
  writeFiles(precious, { '.agency/SANDBOX_MARKER': '', keep: 'me\n' })

  expect(await refusal(scene, { ...record, sandbox_path: sandboxPath(precious) })).toBe('E_PATH_NOT_OURS')
  expect(await refusal(scene, { ...record, sandbox_path: sandboxPath(root) })).toBe('E_PATH_NOT_OURS')
  expect(await refusal(scene, { ...record, sandbox_path: sandboxPath(`${tree}/../../../..`) })).toBe(
    'E_PATH_NOT_OURS',
  )

  renameSync(tree, `${tree}-moved`)
  symlinkSync(precious, tree)
  expect(await refusal(scene)).toBe('E_PATH_NOT_OURS')
  rmSync(tree)
  writeFileSync(tree, 'a file')
  expect(await refusal(scene)).toBe('E_PATH_NOT_OURS')
  rmSync(tree)

  const sandboxDir = dirname(tree)
  mkdirSync(join(precious, 'tree/.agency'), { recursive: true })
  writeFiles(precious, { 'tree/.agency/SANDBOX_MARKER': '' })
  renameSync(sandboxDir, `${sandboxDir}-moved`)
  symlinkSync(precious, sandboxDir)
  expect(await refusal(scene)).toBe('E_PATH_NOT_OURS')
  expect(readdirSync(precious).sort()).toEqual(['.agency', 'keep', 'tree'])
})

test('without its marker a tree is removed where the record on disk names it, and not otherwise', async () => {
  const scene = await makeScene()
  rmSync(join(scene.tree, '.agency'), { recursive: true })
  const at = scene.repository.paths.invocation(scene.record.invocation_id)
  renameSync(at.meta, `${at.meta}.away`)
  expect(await refusal(scene)).toBe('E_PATH_NOT_OURS')
  renameSync(`${at.meta}.away`, at.meta)
  expect(await refusal(scene)).toBe('removed')
  expect(existsSync(scene.tree)).toBe(false)
})

test("git forgets the sandbox's worktree and no other, whatever the record or the agent says", async () => {
  const scene = await makeScene()
  const other = scene.worktree.git_dir
  expect(await refusal(scene, { ...scene.record, git_dir: sandboxPath(other) })).toBe('removed')
  expect(existsSync(other)).toBe(true)
  const again = await makeScene()
  expect(await refusal(again, { ...again.record, git_dir: sandboxPath(join(again.root, '.git')) })).toBe(
    'E_PATH_NOT_OURS',
  )
  expect(existsSync(join(again.root, '.git/HEAD'))).toBe(true)
})

test('removing twice, or what is gone, does nothing more', async () => {
  const scene = await makeScene()
  expect(await refusal(scene)).toBe('removed')
  expect(await refusal(scene)).toBe('removed')
  expect(existsSync(showPath(scene.record.git_dir))).toBe(false)
  const id = parseInvocationId('20260128113000-ffff')
  const never = {
    ...scene.record,
    invocation_id: id,
    sandbox_path: scene.repository.paths.invocation(id).tree,
  }
  expect(await refusal(scene, never)).toBe('removed')
})

test('a missing sandbox and one behind a link are broken, not empty', async () => {
  const scene = await makeScene()
  renameSync(scene.tree, `${scene.tree}-moved`)
  expect(open(scene).presence()).toBe('gone')
  await expect(open(scene).capture()).rejects.toMatchObject({ code: 'E_INVOCATION_BROKEN' })
  symlinkSync(`${scene.tree}-moved`, scene.tree)
  expect(open(scene).presence()).toBe('gone')
  await expect(open(scene).capture()).rejects.toMatchObject({ code: 'E_INVOCATION_BROKEN' })
})
