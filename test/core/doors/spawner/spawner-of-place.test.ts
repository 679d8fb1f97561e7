import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../../../../src/core/doors/spawner/spawner.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { makeRepository, makeScratch } from '../../../support/git/repository.ts'
import { makeEffects } from '../../../support/scene/effects.ts'

/** A repository whose git is started by a spawner of its own, which notes the directory of each start. */
async function countedRepository() {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'repo'))
  const places: string[] = []
  const spawner: Spawner = (request) => {
    places.push(request.cwd)
    return spawnHere(request)
  }
  const effects = { ...makeEffects(join(scratch, 'data')), spawner }
  return { scratch, root, places, repository: await openRepository(effects, root) }
}

test('each repository has its git started by the spawner that it was opened with, and by no other', async () => {
  const [one, other] = await Promise.all([countedRepository(), countedRepository()])
  for (const { places, scratch } of [one, other]) {
    expect(places.length).toBeGreaterThan(0)
    expect(places.every((cwd) => cwd.startsWith(scratch))).toBe(true)
  }
  const before = other.places.length
  const begun = one.places.length
  await createWorktree(one.repository, { name: 'feature', cwd: one.root })
  await one.repository.git.drafting(join(one.scratch, 'objects')).store.text(['rev-parse', 'HEAD^{}'], {
    answers: [128],
  })
  expect(one.places.length).toBeGreaterThan(begun + 1)
  expect(other.places.length).toBe(before)
})
