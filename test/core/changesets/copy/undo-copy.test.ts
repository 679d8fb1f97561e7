// Undo makes a sandbox's own repository anew, and an agent may have put anything where that lay.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ownRepository } from '../../../../src/core/changesets/copy/own-place.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { listTrashedTrees } from '../../../../src/core/store/trash.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { discardCopy, landCopy, makeCopy } from '../../../support/scene/copy.ts'
import { type Scene, shell } from '../../../support/scene/sandbox.ts'

const worksAgain = async (scene: Scene): Promise<void> => {
  expect(readFileSync(join(scene.tree, 'n'), 'utf8')).toBe('n\n')
  expect(git(scene.tree, 'rev-parse', '--absolute-git-dir')).toBe(ownRepository(scene.tree).dir)
  shell(scene.tree, 'git add -A; git commit -qm n')
  await landCopy(scene)
  expect(git(scene.root, 'show', `${scene.worktree.branch}:n`)).toBe('n')
}

/** A directory that looks like a repository, and a file: neither is the sandbox's. */
function makeOutside({ root }: Scene): string {
  const outside = join(dirname(root), 'outside')
  mkdirSync(join(outside, 'objects', 'info'), { recursive: true })
  for (const name of ['HEAD', 'config', 'packed-refs', 'objects/info/alternates', 'file'])
    writeFileSync(join(outside, name), `what is in ${name}\n`)
  return outside
}

test.each([
  ['a repository', ''],
  ['a file', '/file'],
  ['nothing', '/nowhere'],
])('undo does not write through a link to %s in place of its repository', async (_what, way) => {
  const scene = await makeCopy()
  const { dir, given } = ownRepository(scene.tree)
  const outside = makeOutside(scene)
  const before = treeManifest(outside)
  shell(scene.tree, 'echo n > n')
  renameSync(dir, join(dirname(dir), 'x'))
  symlinkSync(join(outside, way), dir)
  rmSync(given, { force: true })
  symlinkSync(join(outside, 'file'), given)
  await discardCopy(scene)
  await undoLast(scene.repository)
  expect(treeManifest(outside)).toEqual(before)
  await worksAgain(scene)
})

test('undo does not write into the person’s repository, to which a link leads', async () => {
  const scene = await makeCopy()
  const { dir } = ownRepository(scene.tree)
  const settings = () =>
    ['HEAD', 'config'].map((name) => readFileSync(join(scene.root, '.git', name), 'utf8'))
  const before = settings()
  shell(scene.tree, 'echo n > n')
  rmSync(dir, { recursive: true })
  symlinkSync(join(scene.root, '.git'), dir)
  await discardCopy(scene)
  await undoLast(scene.repository)
  expect(settings()).toEqual(before)
  expect(existsSync(join(scene.root, '.git/objects/info/alternates'))).toBe(false)
  await worksAgain(scene)
})

test('a directory that lies where the repository is made waits in the trash', async () => {
  const scene = await makeCopy()
  const { dir, given } = ownRepository(scene.tree)
  shell(scene.tree, 'echo n > n')
  await discardCopy(scene)
  mkdirSync(dir)
  writeFileSync(join(dir, 'late'), 'late\n')
  rmSync(given, { force: true })
  mkdirSync(given)
  await undoLast(scene.repository)
  const kept = listTrashedTrees(scene.repository.paths).filter(({ state }) => state === 'kept')
  expect(kept.filter(({ path }) => existsSync(join(path, 'late')))).toHaveLength(1)
  expect(existsSync(join(dir, 'late'))).toBe(false)
  await worksAgain(scene)
})

test('locks that a killed git has left do not come back with the repository', async () => {
  const scene = await makeCopy()
  const { dir } = ownRepository(scene.tree)
  shell(scene.tree, 'git checkout -q -b mine; echo n > n; git add n; git commit -qm n')
  for (const lock of ['index.lock', 'HEAD.lock']) writeFileSync(join(dir, lock), '')
  await discardCopy(scene)
  await undoLast(scene.repository)
  expect(git(scene.tree, 'status', '--short', '--branch')).toBe('## mine')
  shell(scene.tree, 'git checkout -q -; echo n > n')
  await worksAgain(scene)
})
