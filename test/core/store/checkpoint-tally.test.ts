import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nameCheckpoint } from '../../../src/core/operations/checkpoints/name-checkpoint.ts'
import { createCheckpointTally } from '../../../src/core/store/checkpoint-tally.ts'
import { writeFiles } from '../../support/git/repository.ts'
import { taken } from '../../support/scene/checkpoints.ts'
import { makeScene } from '../../support/scene/sandbox.ts'

test('a sandbox without checkpoints has no tally', async () => {
  const { repository, record } = await makeScene()
  expect(createCheckpointTally(repository.paths)(record.invocation_id)).toBe(null)
})

test('a tally is the same object until the list changes, if only by a name', async () => {
  const scene = await makeScene()
  const { repository, record, tree } = scene
  const tally = createCheckpointTally(repository.paths)
  writeFiles(tree, { 'a.txt': 'one\n' })
  const { created_at, id } = await taken(scene)
  const first = tally(record.invocation_id)
  expect(first).toMatchObject({ count: 1, last_at: created_at })
  expect(tally(record.invocation_id)).toBe(first)
  await nameCheckpoint(repository, record, { checkpoint: id, name: 'before the rewrite' })
  const named = tally(record.invocation_id)
  expect(named).toMatchObject({ count: 1, last_at: created_at })
  expect(named?.stamp).not.toBe(first?.stamp)
})

test('a list that cannot be read has no tally', async () => {
  const scene = await makeScene()
  writeFiles(scene.tree, { 'a.txt': 'one\n' })
  await taken(scene)
  const { repository, record } = scene
  writeFileSync(repository.paths.invocation(record.invocation_id).checkpoints, '{')
  expect(createCheckpointTally(repository.paths)(record.invocation_id)).toBe(null)
})
