// What becomes of checkpoints when their sandbox is closed, brought back and forgotten, and when there are many.

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { nameCheckpoint } from '../../../../src/core/operations/checkpoints/name-checkpoint.ts'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { thinCheckpoints } from '../../../../src/core/operations/checkpoints/thin-checkpoints.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record
const snapshots = ({ root }: Scene): string => git(root, 'for-each-ref', 'refs/agency/snapshots')
const listed = ({ repository, record }: Scene) =>
  readCheckpoints(repository.paths, record.invocation_id).map(({ id }) => id)

/** Three checkpoints, each of another state. */
async function makeThree(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n' })
  for (const text of ['one', 'two', 'three']) {
    shell(scene.tree, `echo ${text} > a`)
    await takeNow(scene.repository, scene.record)
  }
  return scene
}

/** The same repository some hours later. */
function later({ effects, ...rest }: Repository, hours: number): Repository {
  const now = (): Date => new Date(effects.clock.now().getTime() + hours * 3_600_000)
  return { ...rest, effects: { ...effects, clock: { ...effects.clock, now } } }
}

test.each(['discard', 'land'] as const)(
  '%s takes the refs away; undo brings them back after a gc',
  async (how) => {
    const scene = await makeThree()
    const { repository, record } = scene
    const before = snapshots(scene)
    if (how === 'discard') await discardInvocation(repository, record, noneRuns)
    else await landInvocation(repository, record, { apply: true })
    expect(snapshots(scene)).toBe('')
    git(scene.root, 'reflog', 'expire', '--expire=now', '--all')
    git(scene.root, 'gc', '-q', '--prune=now')
    await undoLast(repository)
    expect(snapshots(scene)).toBe(before)
    expect(listed(scene)).toEqual([1, 2, 3])
    const now = readInvocation(repository.paths, record.invocation_id)
    await restoreCheckpoint(repository, now, { checkpoint: 1, settings: SETTINGS })
    expect(treeManifest(scene.tree)).toEqual({ a: 'file one\n' })
  },
)

test('gc forgets them together with the kept state of a closed sandbox, and not before', async () => {
  const scene = await makeThree()
  const { repository, record } = scene
  const { checkpoints } = repository.paths.invocation(record.invocation_id)
  await discardInvocation(repository, record, noneRuns)
  await collectGarbage(repository, { keep_days: 14, dry_run: false })
  expect(existsSync(checkpoints)).toBe(true)
  const due = later(repository, 15 * 24)
  const would = await collectGarbage(due, { keep_days: 14, dry_run: true })
  expect(would.deleted_paths).toContain(checkpoints)
  expect(existsSync(checkpoints)).toBe(true)
  expect(await collectGarbage(due, { keep_days: 14, dry_run: false })).toEqual(would)
  expect(existsSync(checkpoints)).toBe(false)
})

test('gc thins out those of open sandboxes, and every one that is left restores', async () => {
  const scene = await makeThree()
  const { repository, record } = scene
  shell(scene.tree, 'echo four > a')
  await takeNow(repository, record)
  await nameCheckpoint(repository, record, { checkpoint: 2, name: ' mine ' })
  const collected = await collectGarbage(later(repository, 30), { keep_days: 14, dry_run: false })
  expect(collected.dropped_refs).toEqual([`refs/agency/snapshots/${record.invocation_id}/3`])
  expect(listed(scene)).toEqual([1, 2, 4])
  git(scene.root, 'gc', '-q', '--prune=now')
  await restoreCheckpoint(repository, record, { checkpoint: 2, settings: SETTINGS })
  expect(treeManifest(scene.tree)).toEqual({ a: 'file two\n' })
  expect(listed(scene)).toEqual([1, 2, 4])
})

test('the host may thin them out by itself', async () => {
  const scene = await makeThree()
  const gone = await thinCheckpoints(later(scene.repository, 2), scene.record, { settings: SETTINGS })
  expect(gone.map(({ id }) => id)).toEqual([2])
  expect(await thinCheckpoints(later(scene.repository, 2), scene.record, { settings: SETTINGS })).toEqual([])
})
