import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { git } from '../../../support/git/repository.ts'
import { pictureOf, restoreTo, takeNowIn } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, shell } from '../../../support/scene/sandbox.ts'

describe('HEAD and branch', () => {
  test('a detached HEAD and later commits: branch and HEAD are back, the commits are kept', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const moment = pictureOf(scene)
    const { id } = await takeNowIn(scene)
    shell(
      scene.tree,
      'echo b > a; git commit -qam b; git checkout -q --detach; echo c > a; git commit -qam c',
    )
    const lost = git(scene.tree, 'rev-parse', 'HEAD')
    const { safety } = await restoreTo(scene, id)
    expect(pictureOf(scene)).toEqual(moment)
    expect(git(scene.tree, 'symbolic-ref', 'HEAD')).toBe(`refs/heads/${scene.record.sandbox_branch}`)
    git(scene.root, 'merge-base', '--is-ancestor', lost, safety.snapshot_ref)
  })

  test.each([
    [
      'a rebase',
      'echo x > a; git commit -qam x; git branch up main; git checkout -q up; echo y > a; git commit -qam y; git checkout -q -; git rebase up || true',
    ],
    [
      'a merge',
      'git checkout -q -b other; echo y > a; git commit -qam y; git checkout -q -; echo x > a; git commit -qam x; git merge other || true',
    ],
    ['a bisect', 'echo x > a; git commit -qam x; git bisect start HEAD HEAD~1 >/dev/null'],
  ])('%s in progress is over after it, and on again after undo', async (_, script) => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    shell(scene.tree, script)
    const said = git(scene.tree, 'status')
    expect(said).toMatch(/rebas|unmerged|bisect/)
    await restoreTo(scene, id)
    expect(git(scene.tree, 'status')).not.toMatch(/rebas|unmerged|bisect/)
    expect(readFileSync(join(scene.tree, 'a'), 'utf8')).toBe('a\n')
    await undoLast(scene.repository)
    expect(git(scene.tree, 'status')).toMatch(/rebas|erg|bisect/)
  })

  test('a branch without a commit is one again', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'git checkout -q --orphan fresh; git rm -rfq --cached .; echo n > n')
    const moment = pictureOf(scene)
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'git checkout -q -f main --detach; rm n')
    await restoreTo(scene, id)
    expect(pictureOf(scene)).toEqual(moment)
  })

  test('a branch of others is never moved: HEAD is detached at the commit then', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'git checkout -q -b theirs; echo b > a; git commit -qam b')
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'echo c > a; git commit -qam c')
    const theirs = git(scene.tree, 'rev-parse', 'theirs')
    const { notes } = await restoreTo(scene, id)
    expect(git(scene.tree, 'rev-parse', 'theirs')).toBe(theirs)
    expect(git(scene.tree, 'rev-parse', 'HEAD')).toBe(git(scene.tree, 'rev-parse', 'theirs~1'))
    expect(notes[0]).toContain('refs/heads/theirs is no longer where it was')
  })

  test('its own branch, checked out elsewhere, is not moved under somebody', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'echo b > a; git commit -qam b; git checkout -q --detach')
    git(scene.root, 'checkout', '-q', scene.record.sandbox_branch)
    expect(await refusal(restoreTo(scene, id))).toMatchObject({ code: 'E_WOULD_OVERWRITE' })
    expect(readFileSync(join(scene.tree, 'a'), 'utf8')).toBe('b\n')
  })
})
