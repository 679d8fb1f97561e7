// A git that was ended by the machine (no memory, no processes left) says nothing of the sandbox. It must not look as if
// the agent had damaged its repository: then its commits would count as uncommitted work.

import { expect, test } from 'vitest'
import type { Capture } from '../../../../src/core/changesets/changeset.ts'
import { openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import type { OpenProcess, Spawner } from '../../../../src/core/doors/spawner/spawner.ts'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { bindRepository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

/** Has the n-th program end as if the machine had ended it. */
function endingOne(n: number): { readonly spawner: Spawner; readonly started: () => number } {
  let started = 0
  const spawner: Spawner = (request) => {
    started += 1
    const open = spawnHere(request)
    return started === n ? ended(open) : open
  }
  return { spawner, started: () => started }
}

const ended = (open: OpenProcess): OpenProcess => ({
  ...open,
  ended: open.ended.then((end) => ({
    ...end,
    exitCode: undefined,
    signal: 'SIGKILL',
    stdout: Buffer.alloc(0),
  })),
})

/** Captures while the n-th program fails. null if there are not as many. */
async function captureWhile({ repository, record }: Scene, n: number): Promise<Capture | string | null> {
  const { spawner, started } = endingOne(n)
  const bound = await bindRepository({ ...repository.effects, spawner }, repository.record)
  const capture = await openChangeset(bound, record)
    .capture()
    .catch((error: unknown) => {
      if (error instanceof AgencyError) return error.code
      throw error
    })
  return started() < n ? null : capture
}

test('a git that does not finish fails the capture, whichever it is, and never gives another HEAD', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > b; git add b; git commit -qm work; echo c > c')
  const head = git(scene.tree, 'rev-parse', 'HEAD')
  const outcomes: (Capture | string)[] = []
  for (let n = 1; ; n++) {
    const outcome = await captureWhile(scene, n)
    if (outcome === null) break
    outcomes.push(outcome)
  }
  expect(outcomes.length).toBeGreaterThan(3)
  expect(outcomes).toContain('E_GIT_FAILED')
  for (const outcome of outcomes) {
    if (typeof outcome === 'string') expect(outcome).toBe('E_GIT_FAILED')
    else expect(outcome).toMatchObject({ head, unborn: false, incomplete: [] })
  }
})
