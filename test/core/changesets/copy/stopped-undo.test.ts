// What a sandbox's own repository goes through when the sandbox is discarded and brought back.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ownRepository } from '../../../../src/core/changesets/copy/own-place.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { makeCopy } from '../../../support/scene/copy.ts'
import { type Scene, shell } from '../../../support/scene/sandbox.ts'

const discard = ({ repository, record }: Scene) =>
  discardInvocation(repository, record, async (ended) => ended)

/** The same repository, in which that step fails. */
function failingAt({ repository }: Scene, failing: string): Repository {
  const onStep = (step: string): void => {
    if (step === failing) throw new Error(`stopped at: ${step}`)
  }
  return { ...repository, effects: { ...repository.effects, onStep } }
}

test.each(['look at the files that came back', 'set its HEAD', 'mark the tree'])(
  'an undo that stops at “%s” leaves the agent’s branch and stash for the next undo',
  async (step) => {
    const scene = await makeCopy()
    shell(
      scene.tree,
      'git checkout -q -b mine; echo b > a; git commit -qam b; echo stashed > a; git stash -q; git checkout -q -',
    )
    const mine = git(scene.tree, 'rev-parse', 'mine', 'stash@{0}')
    await discard(scene)
    await expect(undoLast(failingAt(scene, step))).rejects.toThrow(`stopped at: ${step}`)
    await undoLast(scene.repository)
    expect(git(scene.tree, 'rev-parse', 'mine', 'stash@{0}')).toBe(mine)
    expect(git(scene.tree, 'status', '--short')).toBe('')
  },
)

test.each(['discarded for good', 'kept with work of its own'])(
  'a sandbox that was %s and came back knows which refs it was given, although the person’s have moved',
  async (how) => {
    const scene = await makeCopy()
    const kept = how === 'kept with work of its own'
    if (kept) shell(scene.tree, 'git branch mine')
    const { given } = ownRepository(scene.tree)
    await discard(scene)
    expect(existsSync(given)).toBe(false)
    git(scene.root, 'commit', '-q', '--allow-empty', '-m', 'moved')
    await undoLast(scene.repository)
    expect(readFileSync(given, 'utf8')).toBe(
      readFileSync(join(dirname(given), 'repo.git/packed-refs'), 'utf8'),
    )
    if (kept) shell(scene.tree, 'git branch -q -D mine')
    expect((await discard(scene)).notes).toEqual([])
  },
)
