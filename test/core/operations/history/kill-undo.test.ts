import { expect, test } from 'vitest'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { makeBusyScene, makeUnfinishedScene, runVerb, sweep } from '../../../support/kills/kill-sweep.ts'
import { AS_SWEPT } from '../../../support/kills/sweep-steps.ts'

test(`an undo of a discard that is killed anywhere is finished by repeating it (${AS_SWEPT})`, async () => {
  const scene = await makeBusyScene()
  await runVerb(scene, 'discard')
  expect(await sweep(scene, 'undo', ({ repository }) => redoLast(repository))).toBeGreaterThan(8)
})

test(`an undo of a landing that is killed anywhere is finished by repeating it (${AS_SWEPT})`, async () => {
  const scene = await makeBusyScene()
  await landInvocation(scene.repository, scene.record, { apply: true })
  expect(await sweep(scene, 'undo', ({ repository }) => redoLast(repository))).toBeGreaterThan(8)
})

test(`an undo of a removal in the middle of a rebase, with submodules, that is killed anywhere loses neither (${AS_SWEPT})`, async () => {
  const scene = await makeUnfinishedScene()
  await runVerb(scene, 'remove')
  expect(await sweep(scene, 'undo', ({ repository }) => redoLast(repository))).toBeGreaterThan(10)
})
