import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { AS_SWEPT, sweepSteps } from '../../../support/kills/sweep-steps.ts'
import { branchesOf, makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

/** The same repository, in which the step with the number `at` fails; 1 is the first. */
function failing(repository: Repository, at: number): { repository: Repository; failed: () => boolean } {
  let steps = 0
  const onStep = (step: string): void => {
    steps += 1
    if (steps === at) throw new Error(`stopped at: ${step}`)
  }
  return {
    repository: { ...repository, effects: { ...repository.effects, onStep } },
    failed: () => steps >= at,
  }
}

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record
const picture = (scene: Scene) => {
  const { tree } = scene
  return existsSync(tree)
    ? {
        files: treeManifest(tree),
        status: git(tree, 'status', '--short'),
        refs: branchesOf(scene),
      }
    : null
}

test(`a discard that fails at any step loses nothing: again, and then undone, all is there (${AS_SWEPT})`, async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > a; git commit -qam b; echo n > n')
  const before = picture(scene)
  for (const step of sweepSteps()) {
    const { repository, failed } = failing(scene.repository, step)
    await discardInvocation(repository, scene.record, noneRuns).catch((error: Error) => {
      if (!failed()) throw error
    })
    if (failed()) {
      await discardInvocation(scene.repository, scene.record, noneRuns).catch((error: { code: string }) =>
        expect(error.code).toBe('E_INVOCATION_CLOSED'),
      )
    }
    expect(picture(scene)).toBeNull()
    await undoLast(scene.repository)
    expect(picture(scene), `after a failure at step ${step}`).toEqual(before)
    if (!failed()) return
  }
})

test(`an undo that fails at any step leaves the sandbox discarded or brings it back, and never half (${AS_SWEPT})`, async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > a; git commit -qam b; echo n > n; git init -q nested; echo x > nested/x')
  const before = picture(scene)
  for (const step of sweepSteps()) {
    await discardInvocation(scene.repository, scene.record, noneRuns)
    const refs = git(scene.root, 'for-each-ref')
    const { repository, failed } = failing(scene.repository, step)
    await undoLast(repository).catch((error: Error) => {
      if (!failed()) throw error
    })
    if (!existsSync(scene.tree)) expect(git(scene.root, 'for-each-ref'), `step ${step}`).toBe(refs)
    if (failed()) {
      await undoLast(scene.repository).catch((error: { code: string }) =>
        expect(error.code).toBe('E_NOTHING_TO_UNDO'),
      )
    }
    expect(picture(scene), `after a failure at step ${step}`).toEqual(before)
    if (!failed()) return
  }
})
