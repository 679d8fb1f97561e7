// `git gc --prune=now` beside us deletes objects that no ref holds yet. What is lost that way is noticed and said, and
// nothing of it is left for later commands to stumble over.

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { readEvents } from '../../../../src/core/store/events.ts'
import { git } from '../../../support/git/repository.ts'
import { taken } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const forget = ({ root }: Scene, object: string): void =>
  rmSync(join(root, '.git/objects', object.slice(0, 2), object.slice(2)), { force: true })

/** The same scene beside a running `git gc`. As soon as somebody waits for it, it deletes `object` and ends. */
function whileCollecting(scene: Scene, object: string): Scene {
  const { repository, root } = scene
  const lock = join(root, '.git/gc.pid')
  writeFileSync(lock, `${process.pid} ${hostname()}`)
  const sleep = async (): Promise<void> => {
    forget(scene, object)
    rmSync(lock, { force: true })
  }
  const clock = { ...repository.effects.clock, sleep }
  return { ...scene, repository: { ...repository, effects: { ...repository.effects, clock } } }
}

test('where the last checkpoint is lost, the next one stands on the one before it', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo 1 > a')
  const first = await taken(scene)
  shell(scene.tree, 'echo 2 > a')
  forget(scene, (await taken(scene)).snapshot_commit)
  shell(scene.tree, 'echo 3 > a')
  const third = await taken(scene)
  expect(third).toMatchObject({ id: 3, parent: 1 })
  expect(git(scene.root, 'rev-parse', `${third.snapshot_commit}^`)).toBe(first.snapshot_commit)
  const { paths } = scene.repository
  const { invocation_id } = scene.record
  expect(readCheckpoints(paths, invocation_id).map(({ id }) => id)).toEqual([1, 3])
  expect(readEvents(paths, invocation_id).at(-1)?.message).toMatch(/^checkpoint 2 is lost/)
  git(scene.root, 'gc', '-q', '--prune=now')
  expect(git(scene.root, 'fsck', '--no-dangling')).toBe('')
})

test('one whose files are pruned while it is written is taken again, whole', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo new > n')
  const blob = git(scene.tree, 'hash-object', 'n')
  const { id, snapshot_commit } = await taken(whileCollecting(scene, blob))
  expect(id).toBe(1)
  expect(git(scene.root, 'for-each-ref', '--format=%(refname:lstrip=-1)', 'refs/agency')).toBe('1')
  expect(git(scene.root, 'show', `${snapshot_commit}:n`)).toBe('new')
})

test('a sandbox whose files are pruned while it is kept is not discarded', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo new > n')
  const { repository, record } = whileCollecting(scene, git(scene.tree, 'hash-object', 'n'))
  const discarded = discardInvocation(repository, record, async (same) => same)
  expect((await refusal(discarded)).code).toBe('E_GIT_FAILED')
  expect(existsSync(join(scene.tree, 'n'))).toBe(true)
  expect(git(scene.root, 'for-each-ref', 'refs/agency')).toBe('')
})
