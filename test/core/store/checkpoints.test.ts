import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Checkpoint, snapshotRef } from '../../../src/core/model/checkpoint.ts'
import {
  nextCheckpointId,
  readCheckpoints,
  readCheckpointsFile,
  updateCheckpoints,
} from '../../../src/core/store/checkpoints.ts'
import { makeScene, type Scene } from '../../support/scene/sandbox.ts'

const checkpoint = ({ record }: Scene, id: number): Checkpoint => ({
  id,
  snapshot_ref: snapshotRef(record.invocation_id, id),
  snapshot_commit: record.base_commit,
  head_sha: record.base_commit,
  created_at: '2026-01-28T12:10:00Z',
  includes_untracked: true,
  diffstat: '+1 -0 in 1 file',
  parent: id === 1 ? null : id - 1,
  tree: record.base_commit,
  reason: 'asked',
  turn: null,
  name: null,
  excluded: [],
  incomplete: [],
})

test('a sandbox without a list has none, and its first one is number 1', async () => {
  const { repository, record } = await makeScene()
  expect(readCheckpoints(repository.paths, record.invocation_id)).toEqual([])
  expect(nextCheckpointId(readCheckpointsFile(repository.paths, record.invocation_id))).toBe(1)
})

test('what was added is read again, and a field of a newer version survives the next change', async () => {
  const scene = await makeScene()
  const { repository, record } = scene
  const path = repository.paths.invocation(record.invocation_id).checkpoints
  await updateCheckpoints(repository, record.invocation_id, () => [checkpoint(scene, 1)])
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), later: 'field' }))
  await updateCheckpoints(repository, record.invocation_id, (before) => [...before, checkpoint(scene, 2)])
  expect(readCheckpoints(repository.paths, record.invocation_id).map(({ id }) => id)).toEqual([1, 2])
  expect(readCheckpointsFile(repository.paths, record.invocation_id)).toMatchObject({ later: 'field' })
})

test('the number of one that was thinned out is never given again', async () => {
  const scene = await makeScene()
  const { repository, record } = scene
  const id = record.invocation_id
  await updateCheckpoints(repository, id, () => [checkpoint(scene, 1), checkpoint(scene, 2)])
  await updateCheckpoints(repository, id, (before) => before.slice(0, 1))
  expect(nextCheckpointId(readCheckpointsFile(repository.paths, id))).toBe(3)
})

test('a torn list is an error that names it, and stays as it is', async () => {
  const scene = await makeScene()
  const { repository, record } = scene
  const path = repository.paths.invocation(record.invocation_id).checkpoints
  writeFileSync(path, '{"checkpoints": [')
  expect(() => readCheckpoints(repository.paths, record.invocation_id)).toThrow(path)
  const change = updateCheckpoints(repository, record.invocation_id, () => [checkpoint(scene, 1)])
  await expect(change).rejects.toMatchObject({ code: 'E_RECORD_UNREADABLE' })
  expect(readFileSync(path, 'utf8')).toBe('{"checkpoints": [')
})
