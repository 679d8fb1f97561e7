import { expect, test } from 'vitest'
import type { Landing, LandOptions } from '../../../../src/core/facade/agency.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { readEvents } from '../../../../src/core/store/events.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene } from '../../../support/scene/sandbox.ts'

const land = (scene: Scene, options: LandOptions = { apply: 'when_alone' }): Promise<Landing> =>
  landInvocation(scene.repository, scene.record, options)

/** The scene's repository, and the names of the steps that are begun in it. */
function stepsOf({ repository }: Scene): { repository: Repository; steps: readonly string[] } {
  const steps: string[] = []
  const effects = { ...repository.effects, onStep: (step: string) => void steps.push(step) }
  return { repository: { ...repository, effects }, steps }
}

test('uncommitted work that is alone lands as one commit, after one look at the sandbox', async () => {
  const scene = await makeScene({ a: 'a\n' })
  writeFiles(scene.tree, { a: 'changed\n', loose: 'loose\n' })
  const { repository, steps } = stepsOf(scene)

  const landing = await land({ ...scene, repository })

  expect(landing).toMatchObject({ landed: [landing.to], notes: [] })
  expect(git(scene.worktree.tree_path, 'show', 'HEAD:a', 'HEAD:loose')).toBe('changed\nloose')
  expect(steps.filter((step) => step === 'capture the sandbox')).toHaveLength(1)
  expect(readEvents(repository.paths, scene.record.invocation_id)).toMatchObject([{ kind: 'landed' }])
})

test('uncommitted work beside commits asks: the landing is off, and nobody has refused it', async () => {
  const scene = await makeScene({ a: 'a\n' })
  writeFiles(scene.tree, { b: 'b\n' })
  commitAll(scene.tree, 'Work')
  writeFiles(scene.tree, { loose: 'loose\n' })

  expect(await refusal(land(scene))).toMatchObject({ code: 'E_SANDBOX_DIRTY' })
  const { paths } = scene.repository
  expect(readEvents(paths, scene.record.invocation_id)).toEqual([])
  expect(readInvocation(paths, scene.record.invocation_id).landing_status).toBe('pending')

  await refusal(land(scene, {}))
  expect(readEvents(paths, scene.record.invocation_id)).toMatchObject([
    { kind: 'land_refused', code: 'E_SANDBOX_DIRTY' },
  ])
})

test('commits alone land without a word', async () => {
  const scene = await makeScene()
  writeFiles(scene.tree, { b: 'b\n' })
  const tip = commitAll(scene.tree, 'Work')
  expect(await land(scene)).toMatchObject({ to: tip, landed: [tip], notes: [] })
})

test('a landing that conflicts is refused as any other', async () => {
  const scene = await makeScene({ a: 'a\n' })
  writeFiles(scene.tree, { a: 'theirs\n' })
  writeFiles(scene.worktree.tree_path, { a: 'ours\n' })
  commitAll(scene.worktree.tree_path, 'Ours')

  expect(await refusal(land(scene))).toMatchObject({ code: 'E_LAND_CONFLICT' })
  expect(readEvents(scene.repository.paths, scene.record.invocation_id)).toMatchObject([
    { kind: 'land_refused', code: 'E_LAND_CONFLICT' },
  ])
})
