// A restore puts a sandbox's branch and HEAD back, in a directory where an agent may have laid anything.

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ownRepository } from '../../../../src/core/changesets/copy/own-place.ts'
import { readOwnRef } from '../../../../src/core/changesets/copy/own-refs.ts'
import { readRestoreJournal } from '../../../../src/core/store/restore-journal.ts'
import { git, makeScratch } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { restoreTo, takeNowIn } from '../../../support/scene/checkpoints.ts'
import { makeCopy } from '../../../support/scene/copy.ts'
import { type Scene, shell } from '../../../support/scene/sandbox.ts'

function makeOutside({ root }: Scene): string {
  const outside = join(dirname(root), 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'bar'), 'not a ref\n')
  return outside
}

const isDone = ({ repository, record }: Scene) =>
  expect(readRestoreJournal(repository.paths, record.invocation_id)).toBeNull()

test.each([['foo'], ['foo/bar']])(
  'a branch is not written through a link in place of refs/heads/%s',
  async (linked) => {
    const scene = await makeCopy()
    const { dir } = ownRepository(scene.tree)
    const outside = makeOutside(scene)
    const before = treeManifest(outside)
    shell(scene.tree, 'git checkout -q -b foo/bar; echo b > a; git commit -qam b')
    const { id } = await takeNowIn(scene)
    shell(scene.tree, `git checkout -q ${scene.record.sandbox_branch}`)
    rmSync(join(dir, 'refs/heads', linked), { recursive: true })
    symlinkSync(linked === 'foo' ? outside : join(outside, 'bar'), join(dir, 'refs/heads', linked))
    await restoreTo(scene, id)
    isDone(scene)
    expect(treeManifest(outside)).toEqual(before)
    expect(git(scene.tree, 'symbolic-ref', 'HEAD')).toBe('refs/heads/foo/bar')
    expect(git(scene.tree, 'show', 'HEAD:a')).toBe('b')
    expect(git(scene.tree, 'status', '--short')).toBe('')
  },
)

test('a branch in the place of its own branch’s directory gets another name', async () => {
  const scene = await makeCopy()
  const { dir } = ownRepository(scene.tree)
  const own = scene.record.sandbox_branch
  const { id } = await takeNowIn(scene)
  shell(scene.tree, `git checkout -q --detach; git branch -qD ${own}`)
  // git does not write a branch of that name while branches below it are packed.
  writeFileSync(join(dir, 'packed-refs'), '')
  rmSync(join(dir, 'refs/heads/agency'), { recursive: true, force: true })
  shell(scene.tree, 'git checkout -q -b agency; echo b > a; git commit -qam b')
  const commit = git(scene.tree, 'rev-parse', 'HEAD')
  await restoreTo(scene, id)
  isDone(scene)
  expect(git(scene.tree, 'symbolic-ref', '--short', 'HEAD')).toBe(own)
  expect(git(scene.tree, 'status', '--short')).toBe('')
  expect(git(scene.tree, 'for-each-ref', '--format=%(refname:short) %(objectname)')).toMatch(
    new RegExp(`^agency-replaced-\\d+ ${commit}$`, 'm'),
  )
})

test('branches below its own branch’s name get another', async () => {
  const scene = await makeCopy()
  const own = scene.record.sandbox_branch
  const { id } = await takeNowIn(scene)
  shell(scene.tree, `git checkout -q --detach; git branch -qD ${own}; git checkout -q -b ${own}/more`)
  await restoreTo(scene, id)
  isDone(scene)
  expect(git(scene.tree, 'symbolic-ref', '--short', 'HEAD')).toBe(own)
  expect(git(scene.tree, 'branch', '--format=%(refname:short)')).toMatch(/-replaced-\d+\/more$/m)
})

test('where HEAD led out of the repository, or to a branch of a name too long, it is detached', async () => {
  const scene = await makeCopy()
  const { dir } = ownRepository(scene.tree)
  const { base_commit } = scene.record
  const long = `refs/heads/${'a'.repeat(300)}`
  for (const ref of ['refs/heads/../../outside', long]) {
    writeFileSync(join(dir, 'packed-refs'), `${base_commit} ${long}\n`)
    writeFileSync(join(dir, 'HEAD'), `ref: ${ref}\n`)
    writeFileSync(join(scene.tree, 'a'), ref)
    const { id } = await takeNowIn(scene)
    writeFileSync(join(scene.tree, 'a'), 'later')
    writeFileSync(join(dir, 'packed-refs'), '')
    const { notes } = await restoreTo(scene, id)
    isDone(scene)
    expect(notes[0]).toBe(`${ref} is no longer where it was, so HEAD is detached at ${base_commit}`)
    expect(git(scene.tree, 'rev-parse', 'HEAD')).toBe(base_commit)
    expect(readFileSync(join(scene.tree, 'a'), 'utf8')).toBe(ref)
  }
})

test('a ref is not read through a link, neither its own nor one on the way', () => {
  const dir = makeScratch()
  const commit = 'c'.repeat(40)
  mkdirSync(join(dir, 'refs/heads'), { recursive: true })
  mkdirSync(join(dir, 'outside'))
  writeFileSync(join(dir, 'outside/ref'), `${commit}\n`)
  expect(readOwnRef(dir, 'refs/heads/way/ref')).toBeNull()
  symlinkSync('../../outside', join(dir, 'refs/heads/way'))
  symlinkSync('../../outside/ref', join(dir, 'refs/heads/ref'))
  expect([readOwnRef(dir, 'refs/heads/way/ref'), readOwnRef(dir, 'refs/heads/ref')]).toEqual([null, null])
})
