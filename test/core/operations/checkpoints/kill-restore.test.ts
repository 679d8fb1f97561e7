// A restore that fails or is killed at any of its steps, and its undo.

import { expect, test } from 'vitest'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { recoverJournal } from '../../../../src/core/operations/integration/recover-journal.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { isInterrupted } from '../../../../src/core/store/interrupted.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { killSteps } from '../../../support/kills/killed-verb.ts'
import { AS_SWEPT, sweepSteps } from '../../../support/kills/sweep-steps.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { type Picture, pictureOf, SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const program = await bundleProgram('test/support/kills/verb-process.ts')

interface Busy {
  readonly scene: Scene
  readonly moment: Picture
  readonly later: Picture
}

/** Checkpoint 1 and what came later differ in everything, and an ignored file is in the way. */
async function makeBusy(): Promise<Busy> {
  const scene = await makeScene({ a: 'a\n', 'd/x': 'x\n', f: 'f\n', '.gitignore': '' })
  shell(scene.tree, 'echo b > a; git add a; echo n > n; ln -s a l; echo c > cache')
  const moment = pictureOf(scene)
  await takeNow(scene.repository, scene.record)
  shell(
    scene.tree,
    "git add -A; git commit -qm all; rm -r d f; echo d > d; mkdir f; echo f > f/f; printf 'cache\\n' > .gitignore; rm cache; mkdir cache; echo mine > cache/mine; echo s > s; git add s",
  )
  return { scene, moment, later: pictureOf(scene) }
}

const restore = (repository: Repository, { record }: Scene) =>
  restoreCheckpoint(repository, record, { checkpoint: 1, settings: SETTINGS })

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

test(`one that fails at any step leaves the sandbox as it was, and then goes through (${AS_SWEPT})`, async () => {
  const { scene, moment, later } = await makeBusy()
  for (const step of sweepSteps()) {
    const { repository, failed } = failing(scene.repository, step)
    await restore(repository, scene).catch((error: Error) => {
      if (!failed()) throw error
    })
    if (isInterrupted(scene.repository.paths)) throw new Error(`a journal is left at step ${step}`)
    if (!failed()) break
    if (treeManifest(scene.tree)['s'] === undefined) await undoLast(scene.repository)
    expect(pictureOf(scene), `after a failure at step ${step}`).toEqual(later)
  }
  expect(pictureOf(scene)).toEqual(moment)
  await undoLast(scene.repository)
  expect(pictureOf(scene)).toEqual(later)
})

test.each(['restore', 'undo'] as const)(
  `%s, killed at any step, is finished by the next command (${AS_SWEPT})`,
  async (verb) => {
    const { scene, moment, later } = await makeBusy()
    const { repository, record } = scene
    const [from, to] = verb === 'restore' ? [later, moment] : [moment, later]
    if (verb === 'undo') await restore(repository, scene)
    const { dataDir } = repository.effects
    const kill = killSteps(program, [dataDir, repository.record.root, verb, record.invocation_id])
    for (let more = true; more; ) {
      const { step, killed } = await kill()
      more = killed
      const interrupted = isInterrupted(repository.paths)
      // The sandbox is its concern, so it waits for a git that the kill has left.
      const concern = { invocations: [record.invocation_id] }
      await repository.locked(() => recoverJournal(repository, concern))
      expect(isInterrupted(repository.paths)).toBe(false)
      const now = pictureOf(scene)
      expect(now, `after a kill at step ${step}`).toEqual(interrupted || !killed ? to : now)
      if (JSON.stringify(now) !== JSON.stringify(to)) {
        expect(now, `before anything began at step ${step}`).toEqual(from)
      } else if (verb === 'restore') await undoLast(repository)
      else await restore(repository, scene)
      expect(pictureOf(scene)).toEqual(from)
    }
    expect(readCheckpoints(repository.paths, record.invocation_id).length).toBeGreaterThan(1)
  },
)
