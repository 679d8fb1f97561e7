// The way home: what the git that reads the agent's objects says harms the agent alone.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownAdministration } from '../../../../src/core/changesets/copy/own-administration.ts'
import { openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { openTreeChangeset } from '../../../../src/core/changesets/worktree/tree-changeset.ts'
import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../../../../src/core/doors/spawner/spawner.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { makeCopy } from '../../../support/scene/copy.ts'
import { shell } from '../../../support/scene/sandbox.ts'

/** Says what git says to one who is not root where the agent has taken away the right to read. */
const REFUSED = 'cat >&-; echo "error: unable to open object directory: Permission denied" >&2; exit 128'

const refusing: Spawner = (request) =>
  spawnHere(
    request.args.includes('pack-objects') ? { ...request, file: '/bin/sh', args: ['-c', REFUSED] } : request,
  )

test('where the objects may not be read, the files are captured and kept', async () => {
  const scene = await makeCopy()
  shell(scene.tree, 'echo b > a; git commit -qam b; echo n > n')
  const repository = await openRepository({ ...scene.repository.effects, spawner: refusing }, scene.root)
  const { incomplete, state_tree } = await openChangeset(repository, scene.record).capture()
  expect(incomplete).toContain('.git')
  expect(git(scene.root, 'show', `${state_tree}:a`)).toBe('b')
  expect(git(scene.root, 'show', `${state_tree}:n`)).toBe('n')
})

test('a branch that went while its sandbox was looked at is not made again', async () => {
  const scene = await makeCopy()
  shell(scene.tree, 'echo b > a; git commit -qam b')
  const branch = scene.record.sandbox_branch
  const closing: Spawner = (request) => {
    if (request.args.includes('pack-objects')) git(scene.root, 'branch', '-q', '-D', branch)
    return spawnHere(request)
  }
  const repository = await openRepository({ ...scene.repository.effects, spawner: closing }, scene.root)
  const { incomplete } = await openChangeset(repository, scene.record).capture()
  expect(incomplete).toContain('.git')
  expect(git(scene.root, 'branch', '--list', branch)).toBe('')
})

test.each([
  ['more than the largest pack is not brought home, but kept as files', 1 << 20, ['.git']],
  ['what fits into the largest pack is brought home', 4 << 20, []],
])('%s', async (_what, largest, missing) => {
  const { repository, record, root, tree } = await makeCopy()
  writeFileSync(join(tree, 'big'), randomBytes(2 << 20))
  shell(tree, 'git add big; git commit -qm big')
  const administration = ownAdministration(repository, record, largest)
  const { incomplete, state_tree } = await openTreeChangeset({ repository, record, administration }).capture()
  expect(incomplete).toEqual(missing)
  expect(git(root, 'cat-file', '-s', `${state_tree}:big`)).toBe(`${2 << 20}`)
})
