// Verbs that close a sandbox while another process restores it: they wait, and keep the restored state or are refused.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLock } from '../../../../src/core/doors/system/lock.ts'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { removeWorktree } from '../../../../src/core/operations/integration/remove-worktree.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { inSandboxTurn } from '../../../../src/core/operations/sandboxes/sandbox-turn.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { WHOLE } from '../../../support/run/sampled.ts'
import { SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const FILES = 200

/** In checkpoint 1 each of many files says 1; now each says 2. */
async function makeChanged(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n' })
  const write = (text: string) => shell(scene.tree, `for n in $(seq ${FILES}); do echo ${text} > f$n; done`)
  write('1')
  await takeNow(scene.repository, scene.record)
  write('2')
  return scene
}

const hear = (repository: Repository, onStep: (step: string) => void): Repository => {
  const effects = { ...repository.effects, clock: systemClock, onStep }
  return { ...repository, effects, locked: (work) => withLock(repository.paths.lock, effects, work) }
}

const CLOSINGS = {
  land: (repository: Repository, { record }: Scene) => landInvocation(repository, record, { apply: true }),
  discard: (repository: Repository, { record }: Scene) =>
    discardInvocation(repository, record, async (same) => same),
  'worktree rm': (repository: Repository, { worktree }: Scene) =>
    removeWorktree(repository, worktree, { force: true, end: async (same) => same, progress: () => {} }),
}

test.each(['land', 'discard', 'worktree rm'] as const)(
  '%s waits for a restore that has begun, and keeps what it restored',
  async (verb) => {
    const scene = await makeChanged()
    const said: string[] = []
    const closing: Promise<unknown>[] = []
    const closer = hear(scene.repository, (step) => said.push(`closing: ${step}`))
    const restorer = hear(scene.repository, (step) => {
      said.push(`restore: ${step}`)
      if (step === 'keep the checkpoint') closing.push(CLOSINGS[verb](closer, scene))
    })
    await restoreCheckpoint(restorer, scene.record, { checkpoint: 1, settings: SETTINGS })
    await Promise.all(closing)
    const kept = `refs/agency/trash/${scene.record.invocation_id}`
    expect(git(scene.root, 'grep', '-c', '-h', '^1$', kept, '--', 'f*').split('\n')).toHaveLength(FILES)
    expect(said.findIndex((step) => step.startsWith('closing'))).toBeGreaterThan(
      said.indexOf('restore: remove the journal'),
    )
  },
)

test.runIf(WHOLE)('one that is waited for in vain is refused, and nothing is touched', async () => {
  const scene = await makeChanged()
  await inSandboxTurn(scene.repository, scene.record, async () => {
    const error = await refusal(landInvocation(scene.repository, scene.record, { apply: true }))
    expect(error.code).toBe('E_LOCKED')
  })
  expect(readFileSync(join(scene.tree, 'f1'), 'utf8')).toBe('2\n')
  expect(existsSync(join(scene.worktree.tree_path, 'f1'))).toBe(false)
  await landInvocation(scene.repository, scene.record, { apply: true })
  expect(readFileSync(join(scene.worktree.tree_path, 'f1'), 'utf8')).toBe('2\n')
})
