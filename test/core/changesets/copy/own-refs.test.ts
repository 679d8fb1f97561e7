// What an agent has in branches, tags and stash of its own, found in files that it may have written as it liked.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownRepository } from '../../../../src/core/changesets/copy/own-place.ts'
import { listOwnRefs } from '../../../../src/core/changesets/copy/own-refs.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { git, makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { discardCopy, makeCopy, openCopy } from '../../../support/scene/copy.ts'
import { shell } from '../../../support/scene/sandbox.ts'

const COMMIT = 'c'.repeat(40)

test('loose refs are listed beside ten thousand packed ones', () => {
  const dir = makeScratch()
  const packed = Array.from({ length: 10_001 }, (_, at) => `${COMMIT} refs/tags/v${at}\n`)
  writeFiles(dir, { 'packed-refs': packed.join(''), 'refs/stash': COMMIT, 'refs/heads/a/b': COMMIT })
  const { refs, whole } = listOwnRefs(dir)
  expect(whole).toBe(true)
  expect(refs.size).toBe(10_003)
  expect([refs.get('refs/stash'), refs.get('refs/heads/a/b')]).toEqual([COMMIT, COMMIT])
})

test('where there are more loose refs than are read, the list says that it is not whole', () => {
  const dir = makeScratch()
  writeFiles(dir, { 'refs/heads/a': COMMIT, 'refs/heads/b': COMMIT })
  expect(listOwnRefs(dir, 3)).toMatchObject({ whole: true })
  expect(listOwnRefs(dir, 2)).toMatchObject({ whole: false })
})

test.each<[what: string, harm: (dir: string) => void]>([
  ['a ref is too long', (dir) => writeFileSync(join(dir, 'refs/heads/a'), 'x'.repeat(5000))],
  ['a ref is a link', (dir) => symlinkSync('../stash', join(dir, 'refs/heads/a'))],
  ['the packed refs are no file', (dir) => mkdirSync(join(dir, 'packed-refs'))],
  [
    'all refs lie behind a link',
    (dir) => {
      rmSync(join(dir, 'refs'), { recursive: true })
      symlinkSync('elsewhere', join(dir, 'refs'))
    },
  ],
])('where %s, the list says that it is not whole', (_what, harm) => {
  const dir = makeScratch()
  writeFiles(dir, { 'refs/stash': COMMIT, 'elsewhere/heads/b': COMMIT })
  mkdirSync(join(dir, 'refs/heads'))
  harm(dir)
  const { refs, whole } = listOwnRefs(dir)
  expect(whole).toBe(false)
  expect(refs.has('refs/heads/b')).toBe(false)
})

test('a repository whose refs cannot be listed waits whole in the trash', async () => {
  const scene = await makeCopy()
  const { dir } = ownRepository(scene.tree)
  shell(scene.tree, 'git checkout -q -b mine; echo b > a; git commit -qam b')
  const mine = git(scene.tree, 'rev-parse', 'mine')
  shell(scene.tree, 'git pack-refs --all; git checkout -q -')
  symlinkSync('mine', join(dir, 'refs/heads/linked'))
  expect((await openCopy(scene).capture()).incomplete).toContain('.git')
  await discardCopy(scene)
  await undoLast(scene.repository)
  expect(git(scene.tree, 'rev-parse', 'mine')).toBe(mine)
})
