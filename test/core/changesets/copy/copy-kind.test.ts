// A sandbox with a repository of its own: what an agent does there stays there until it is brought home, and what it
// plants there is neither run nor believed.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownRepository } from '../../../../src/core/changesets/copy/own-place.ts'
import { changesetKind, openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { inSteps } from '../../../../src/core/doors/steps.ts'
import { sandboxPath } from '../../../../src/core/model/sandbox-path.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { forecastLanding } from '../../../../src/core/operations/landing/forecast-landing.ts'
import { git } from '../../../support/git/repository.ts'
import { sample } from '../../../support/run/sampled.ts'
import { discardCopy, landCopy, makeCopy, openCopy } from '../../../support/scene/copy.ts'
import { makeScene, shell } from '../../../support/scene/sandbox.ts'

const loose = (dir: string, id: string): string => join(dir, 'objects', id.slice(0, 2), id.slice(2))
const setBranch = (dir: string, object: string): void =>
  writeFileSync(join(dir, git(dir, 'symbolic-ref', 'HEAD')), `${object}\n`)

test('it is an ordinary repository, clean, on its branch, with branches and tags and without remotes', async () => {
  const copy = await makeCopy()
  expect(git(copy.tree, 'status', '--short', '--branch')).toBe(`## ${copy.record.sandbox_branch}`)
  expect(git(copy.tree, 'branch', '--list', '--format=%(refname:short)').split('\n')).toContain('main')
  expect(git(copy.tree, 'tag')).toBe('v1')
  expect(git(copy.tree, 'remote')).toBe('')
  expect(git(copy.tree, 'fsck', '--strict')).toBe('')
  expect(git(copy.tree, 'rev-parse', '--absolute-git-dir')).toBe(ownRepository(copy.tree).dir)
})

test('what an agent does to branches, tags, settings and objects is not the person’s', async () => {
  const scene = await makeCopy()
  const { root } = scene
  const before = [
    git(root, 'for-each-ref'),
    git(root, 'config', '--list', '--local'),
    git(root, 'count-objects'),
  ]
  shell(
    scene.tree,
    `echo b > a; git commit -qam b; git branch -f main HEAD; git tag evil; git config user.name Evil
     git update-ref refs/heads/${scene.worktree.branch} HEAD; git gc -q --prune=now`,
  )
  expect([
    git(root, 'for-each-ref'),
    git(root, 'config', '--list', '--local'),
    git(root, 'count-objects'),
  ]).toEqual(before)
  await landCopy(scene)
  expect(git(root, 'show', `${scene.worktree.branch}:a`)).toBe('b')
  expect(git(root, 'tag')).toBe('v1')
  expect(git(root, 'fsck', '--strict', '--no-dangling')).toBe('')
})

test('nothing planted in its repository is run or followed when it is looked at, landed and discarded', async () => {
  const scene = await makeCopy({ a: 'a\n', '.gitattributes': '* filter=evil diff=evil\n' })
  const { dir } = ownRepository(scene.tree)
  const canary = join(scene.root, '..', 'canary')
  const trap = join(scene.root, '..', 'trap')
  writeFileSync(trap, `#!/bin/sh\ntouch '${canary}'\ncat\n`)
  chmodSync(trap, 0o755)
  shell(scene.tree, 'echo b > a; git commit -qam b; echo c > a')
  writeFileSync(
    join(dir, 'config'),
    `[core]\n\tfsmonitor = ${trap}\n\thooksPath = ${dir}/hooks\n\tpager = ${trap}\n[filter "evil"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n[diff "evil"]\n\ttextconv = ${trap}\n[include]\n\tpath = ${dir}/more\n[extensions]\n\tworktreeConfig = true\n`,
  )
  for (const hook of ['post-checkout', 'reference-transaction', 'pre-commit', 'post-index-change']) {
    writeFileSync(join(dir, 'hooks', hook), `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 })
  }
  // git would also believe the objects of another store.
  const elsewhere = join(scene.root, '..', 'elsewhere.git')
  git(scene.root, 'init', '-q', '--bare', elsewhere)
  writeFileSync(join(dir, 'objects/info/alternates'), `${join(elsewhere, 'objects')}\n`)
  expect(await forecastLanding(scene.repository, scene.record)).toMatchObject({ kind: 'clean' })
  await discardCopy(scene)
  await undoLast(scene.repository)
  await landCopy(scene)
  expect(existsSync(canary)).toBe(false)
})

test('an object that is not what its name says is not brought home, and the files are captured all the same', async () => {
  const scene = await makeCopy({ a: 'a\n'.repeat(100) })
  const { dir } = ownRepository(scene.tree)
  shell(scene.tree, 'echo honest > b; git add b; git commit -qm b; echo more > c')
  const blob = git(scene.tree, 'rev-parse', 'HEAD:b')
  const forged = git(scene.tree, 'hash-object', '-w', '--', 'c')
  chmodSync(loose(dir, blob), 0o644)
  writeFileSync(loose(dir, blob), readFileSync(loose(dir, forged)))
  const capture = await openCopy(scene).capture()
  expect(capture.incomplete).toContain('.git')
  expect(git(scene.root, 'show', `${capture.state_tree}:c`)).toBe('more')
  expect(git(scene.root, 'show', `${capture.state_tree}:b`)).toBe('honest')
  expect(git(scene.root, 'fsck', '--strict', '--no-dangling')).toBe('')
})

sample(test).each<[what: string, harm: (dir: string) => void]>([
  ['is deleted', (dir) => rmSync(dir, { recursive: true })],
  ['has no HEAD', (dir) => rmSync(join(dir, 'HEAD'))],
  [
    'has a HEAD that leads out',
    (dir) => writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/../../../../../x\n'),
  ],
  ['has lost its objects', (dir) => rmSync(join(dir, 'objects'), { recursive: true })],
  ['has a damaged index', (dir) => writeFileSync(join(dir, 'index'), 'DIRC and nothing else')],
  ['has a branch that is a file', (dir) => setBranch(dir, git(dir, 'rev-parse', 'HEAD:a'))],
  [
    'has a branch at one commit under the name of another',
    (dir) => {
      const head = git(dir, 'rev-parse', 'HEAD')
      const [named, other] = ['named', 'other'].map((message) =>
        git(dir, 'commit-tree', '-p', head, '-m', message, `${head}^{tree}`),
      )
      setBranch(dir, `${named}`)
      writeFileSync(join(dir, 'HEAD'), `${head}\n`)
      chmodSync(loose(dir, `${named}`), 0o644)
      writeFileSync(loose(dir, `${named}`), readFileSync(loose(dir, `${other}`)))
    },
  ],
])('a repository that %s harms its agent alone: the files are captured and kept', async (_what, harm) => {
  const scene = await makeCopy()
  shell(scene.tree, 'echo b > a; git commit -qam b; echo n > n')
  harm(ownRepository(scene.tree).dir)
  const { state_tree } = await openCopy(scene).capture()
  expect(git(scene.root, 'show', `${state_tree}:a`)).toBe('b')
  expect(git(scene.root, 'show', `${state_tree}:n`)).toBe('n')
  await discardCopy(scene)
  await undoLast(scene.repository)
  expect(readFileSync(join(scene.tree, 'a'), 'utf8')).toBe('b\n')
  expect(readFileSync(join(scene.tree, 'n'), 'utf8')).toBe('n\n')
})

test('branches and a stash of its own wait with the files, and come back with them', async () => {
  const scene = await makeCopy()
  shell(
    scene.tree,
    'git checkout -q -b mine; echo b > a; git commit -qam b; echo stashed > a; git stash -q; git checkout -q -',
  )
  const mine = git(scene.tree, 'rev-parse', 'mine', 'stash@{0}')
  const { incomplete } = await openCopy(scene).capture()
  expect(incomplete).toEqual(['.git/refs/heads/mine', '.git/refs/stash'])
  const { notes } = await discardCopy(scene)
  expect(notes[0]).toContain('.git/refs/heads/mine')
  expect(existsSync(ownRepository(scene.tree).dir)).toBe(false)
  await undoLast(scene.repository)
  expect(git(scene.tree, 'rev-parse', 'mine', 'stash@{0}')).toBe(mine)
  expect(git(scene.tree, 'status', '--short')).toBe('')
})

test('the way to its repository is that of its tree, whatever a record says', async () => {
  const scene = await makeCopy()
  const other = scene.worktree.git_dir
  const edited = { ...scene.record, git_dir: sandboxPath(other) }
  await openChangeset(scene.repository, edited).remove(null)
  expect(existsSync(join(other, 'HEAD'))).toBe(true)
  expect(existsSync(ownRepository(scene.tree).dir)).toBe(false)
})

test('a forecast writes nothing into the person’s repository, not even where the branch is', async () => {
  const scene = await makeCopy()
  shell(scene.tree, 'echo b > a; git commit -qam b; echo c > a')
  const before = [git(scene.root, 'for-each-ref'), git(scene.root, 'count-objects', '-v')]
  expect(await forecastLanding(scene.repository, scene.record)).toMatchObject({ kind: 'clean' })
  expect([git(scene.root, 'for-each-ref'), git(scene.root, 'count-objects', '-v')]).toEqual(before)
})

test('what is killed half-way in the making leaves nothing that stays', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, record } = scene
  await openChangeset(repository, record).remove(Date.now())
  git(scene.root, 'branch', '-q', '-D', record.sandbox_branch)
  const { sandboxDir } = repository.paths.invocation(record.invocation_id)
  rmSync(sandboxDir, { recursive: true })
  mkdirSync(sandboxDir)
  const wanted = {
    id: record.invocation_id,
    branch: record.sandbox_branch,
    start: record.base_commit,
    state: null,
    likely: null,
  }
  const made = inSteps(repository.effects, async (step) => {
    const { filling } = await changesetKind({ changeset: 'copy' }).make(repository, wanted, step)
    await filling.ended
    throw new Error('the test stopped here')
  })
  await expect(made).rejects.toThrow('the test stopped here')
  expect(existsSync(sandboxDir)).toBe(false)
  expect(git(scene.root, 'branch', '--list', record.sandbox_branch)).toBe('')
})
