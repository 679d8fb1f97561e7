import { expect, test } from 'vitest'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { makeBusyScene, makeUnfinishedScene, sweep } from '../../../support/kills/kill-sweep.ts'
import { AS_SWEPT } from '../../../support/kills/sweep-steps.ts'

test(`a discard that is killed anywhere is finished by repeating it, and can be undone (${AS_SWEPT})`, async () => {
  const scene = await makeBusyScene()
  expect(await sweep(scene, 'discard', ({ repository }) => undoLast(repository))).toBeGreaterThan(6)
})

test(`a removal of a worktree that is killed anywhere is finished by repeating it, and can be undone (${AS_SWEPT})`, async () => {
  const scene = await makeBusyScene()
  expect(await sweep(scene, 'remove', ({ repository }) => undoLast(repository))).toBeGreaterThan(8)
})

test(`a removal in the middle of a rebase, with submodules, that is killed anywhere loses neither (${AS_SWEPT})`, async () => {
  const scene = await makeUnfinishedScene()
  expect(await sweep(scene, 'remove', ({ repository }) => undoLast(repository))).toBeGreaterThan(10)
})
