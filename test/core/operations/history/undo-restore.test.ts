import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { pictureOf, restoreTo, takeNowIn } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, shell } from '../../../support/scene/sandbox.ts'

describe('undo and redo', () => {
  test('go back and forth', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const moment = pictureOf(scene)
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'echo b > a; git commit -qam b; echo s > s; git add s; echo n > n')
    const later = pictureOf(scene)
    await restoreTo(scene, id)
    for (let round = 0; round < 2; round++) {
      const undone = await undoLast(scene.repository)
      expect(undone.operation.description).toContain('to checkpoint 1, from 2')
      expect(pictureOf(scene)).toEqual(later)
      await redoLast(scene.repository)
      expect(pictureOf(scene)).toEqual(moment)
    }
  })

  test('undo takes away what the restore brought, also where that is ignored then', async () => {
    const scene = await makeScene({ a: 'a\n', '.gitignore': 'build/\n' })
    shell(scene.tree, 'echo d/ > .gitignore; mkdir build; echo o > build/o')
    const moment = treeManifest(scene.tree)
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'git checkout -q .gitignore; rm -r build')
    await restoreTo(scene, id)
    expect(treeManifest(scene.tree)).toEqual(moment)
    await undoLast(scene.repository)
    expect(treeManifest(scene.tree)).toEqual({ a: 'file a\n', '.gitignore': 'file build/\n' })
    await redoLast(scene.repository)
    expect(treeManifest(scene.tree)).toEqual(moment)
  })

  test.each([
    ['edited', 'echo own > own'],
    ['committed in', 'git commit -q --allow-empty -m own'],
    ['staged in', 'echo a2 > a; git add a; git checkout -q a; echo a > a'],
  ])('are refused where the sandbox was %s since, and nothing is lost', async (_, script) => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'echo b > a')
    await restoreTo(scene, id)
    shell(scene.tree, script)
    const now = pictureOf(scene)
    expect(await refusal(undoLast(scene.repository))).toMatchObject({ code: 'E_UNDO_MOVED' })
    expect(pictureOf(scene)).toEqual(now)
  })

  test('a person who edits ignored files only can still go back', async () => {
    const scene = await makeScene({ a: 'a\n', '.gitignore': '*.log\n' })
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'echo b > a')
    await restoreTo(scene, id)
    shell(scene.tree, 'echo x > x.log')
    await undoLast(scene.repository)
    expect(readFileSync(join(scene.tree, 'a'), 'utf8')).toBe('b\n')
    expect(existsSync(join(scene.tree, 'x.log'))).toBe(true)
  })
})

test('git gc --prune=now twice in the middle: every checkpoint restores', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const moments: Array<[number, ReturnType<typeof pictureOf>]> = []
  for (let step = 1; step <= 4; step++) {
    shell(scene.tree, `echo ${step} > a; git add a; echo ${step}${step} > a; echo n > n${step}`)
    if (step === 2) shell(scene.tree, 'git commit -qm two; git commit -q --amend --allow-empty -m other')
    const { id } = await takeNowIn(scene)
    moments.push([id, pictureOf(scene)])
  }
  for (const [id, moment] of moments) {
    git(scene.root, 'reflog', 'expire', '--expire=now', '--all')
    git(scene.root, 'gc', '-q', '--prune=now')
    git(scene.root, 'gc', '-q', '--prune=now')
    await restoreTo(scene, id)
    expect(pictureOf(scene), `checkpoint ${id}`).toEqual(moment)
  }
  symlinkSync('a', join(scene.tree, 'link'))
  git(scene.root, 'fsck', '--no-dangling')
})
