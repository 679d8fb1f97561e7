// A sandbox with a repository of its own, where the person's is a shallow clone: the parents of its first commit are
// nowhere.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseObjectId } from '../../../../src/core/model/ids.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { asCopy, discardCopy, landCopy } from '../../../support/scene/copy.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

/** Leaves the person's repository as a clone of depth 1 would be. */
async function makeShallowCopy(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, record, root, worktree } = scene
  const lost = git(root, 'rev-parse', 'main')
  writeFiles(worktree.tree_path, { b: 'b\n' })
  const base_commit = parseObjectId(commitAll(worktree.tree_path, 'The only one'))
  git(root, 'merge', '-q', '--ff-only', worktree.branch)
  git(root, 'update-ref', `refs/heads/${record.sandbox_branch}`, base_commit)
  writeFileSync(join(root, '.git/shallow'), `${base_commit}\n`)
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)))
  const id = record.invocation_id
  return asCopy({ ...scene, record: await updateInvocation(repository.paths, id, { base_commit }) })
}

test('a copy of a shallow clone ends where the clone does, also when it has come back', async () => {
  const scene = await makeShallowCopy()
  shell(scene.tree, 'echo c > c; git add c; git commit -qm c')
  await discardCopy(scene)
  await undoLast(scene.repository)
  expect(git(scene.tree, 'log', '--format=%s')).toBe('c\nThe only one')
  git(scene.tree, 'gc', '-q', '--prune=now')
  git(scene.tree, 'fsck', '--strict', '--no-dangling')
  shell(scene.tree, 'echo d > d; git add d; git commit -qm d; git rebase -q --force-rebase HEAD~2')
  await landCopy(scene)
  expect(git(scene.root, 'show', `${scene.worktree.branch}:c`)).toBe('c')
  expect(git(scene.root, 'show', `${scene.worktree.branch}:d`)).toBe('d')
  expect(git(scene.root, 'log', '--format=%s', 'main')).toBe('The only one')
})
