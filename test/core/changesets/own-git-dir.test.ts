// A tree's own git directory holds what no commit, branch or file has. It goes to the trash with the tree and comes back
// with it.

import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { redoLast } from '../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../src/core/operations/history/undo-operation.ts'
import { removeWorktree } from '../../../src/core/operations/integration/remove-worktree.ts'
import { landInvocation } from '../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../src/core/store/invocations.ts'
import { listTrashedTrees } from '../../../src/core/store/trash.ts'
import { readWorktree } from '../../../src/core/store/worktrees.ts'
import { git } from '../../support/git/repository.ts'
import { treeManifest } from '../../support/git/tree-manifest.ts'
import { UNFINISHED } from '../../support/git/unfinished.ts'
import { sampledOf } from '../../support/run/sampled.ts'
import { makeSandbox, makeScene, makeWorktree, type Scene, shell } from '../../support/scene/sandbox.ts'

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record

const verbs = {
  discard: ({ repository, record }: Scene) =>
    discardInvocation(repository, readInvocation(repository.paths, record.invocation_id), noneRuns),
  land: ({ repository, record }: Scene) =>
    landInvocation(repository, readInvocation(repository.paths, record.invocation_id), {
      commits_only: true,
    }),
  remove: ({ repository, worktree }: Scene, force = true) =>
    removeWorktree(repository, readWorktree(repository.paths, worktree.worktree_id), {
      force,
      end: noneRuns,
      progress: () => {},
    }),
}

/** All that git would show of the tree, and the notes in its git directory. */
function picture(tree: string) {
  const gitDir = git(tree, 'rev-parse', '--absolute-git-dir')
  return {
    files: treeManifest(tree),
    status: git(tree, 'status', '--porcelain=v2', '--branch'),
    index: git(tree, 'ls-files', '-s', '-t'),
    refs: git(tree, 'for-each-ref', 'refs/worktree', 'refs/bisect', 'refs/rewritten'),
    notes: readdirSync(gitDir)
      .filter((name) => !OF_EVERY_COMMAND.has(name))
      .map((name) => [name, ...(name.includes('HEAD') ? [readFileSync(join(gitDir, name), 'utf8')] : [])]),
  }
}

const OF_EVERY_COMMAND = new Set(['index', 'gitdir', 'commondir', 'agency-set-aside'])

/** The person's git deletes whatever it can, and another tree takes the name that git had given the removed one. */
async function meanwhile({ root, repository }: Scene): Promise<void> {
  await makeSandbox(repository, await makeWorktree(repository, 'other'))
  git(root, 'reflog', 'expire', '--expire=now', '--all')
  git(root, 'gc', '-q', '--prune=now')
}

describe('what git keeps in a tree’s own directory comes back by undo, although the person’s git has deleted what it could', () => {
  test.each(sampledOf(UNFINISHED))(
    'worktree rm, of the person’s tree and an agent’s: $what',
    async ({ begin, goOn, inProgress }) => {
      const scene = await makeScene({ a: 'a\n' })
      const trees = [scene.tree, scene.worktree.tree_path]
      for (const tree of trees) shell(tree, begin)
      const before = trees.map(picture)
      if (inProgress) {
        // As a landing is.
        await expect(verbs.remove(scene, false)).rejects.toMatchObject({ code: 'E_INTEGRATION_BUSY' })
        expect(trees.map(picture)).toEqual(before)
      }
      const { notes } = await verbs.remove(scene)
      expect(notes.join()).toContain('.git/')
      expect(trees.map((tree) => existsSync(tree))).toEqual([false, false])
      await meanwhile(scene)
      await undoLast(scene.repository)
      expect(trees.map(picture)).toEqual(before)
      await redoLast(scene.repository)
      await undoLast(scene.repository)
      expect(trees.map(picture)).toEqual(before)
      for (const tree of trees) shell(tree, goOn)
      git(scene.root, 'fsck', '--no-dangling')
    },
  )

  test.each(
    sampledOf(
      UNFINISHED.slice(0, 2).flatMap((one) =>
        (['discard', 'land'] as const).map((verb) => ({ ...one, verb })),
      ),
    ),
  )('$verb: $what', async ({ begin, goOn, verb }) => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, begin)
    const before = picture(scene.tree)
    const { notes } = await verbs[verb](scene)
    expect(notes.join()).toContain('.git/')
    await meanwhile(scene)
    await undoLast(scene.repository)
    expect(picture(scene.tree)).toEqual(before)
    await redoLast(scene.repository)
    await undoLast(scene.repository)
    expect(picture(scene.tree)).toEqual(before)
    shell(scene.tree, goOn)
  })
})

describe('a tree in which nothing was begun', () => {
  test.each([
    ['commits and edits', 'echo b > b; git add b; git commit -qm b; echo c > c'],
    ['a merge that was ended', `${UNFINISHED[1]?.begin}; ${UNFINISHED[1]?.goOn}`],
    ['a rebase that was ended', `${UNFINISHED[0]?.begin}; ${UNFINISHED[0]?.goOn}`],
    ['a bisect that was ended', `${UNFINISHED[5]?.begin}; ${UNFINISHED[5]?.goOn}`],
  ])('does not stay in the trash, after %s', async (_, script) => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, script)
    await verbs.discard(scene)
    expect(listTrashedTrees(scene.repository.paths)).toEqual([])
  })
})

test('the git directory of a tree that the person has deleted by hand waits in the trash', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { tree_path, git_dir } = scene.worktree
  shell(tree_path, UNFINISHED[1]?.begin ?? '')
  const merged = readFileSync(join(git_dir, 'MERGE_HEAD'), 'utf8')
  renameSync(tree_path, join(scene.root, '..', basename(tree_path)))
  await verbs.remove(scene, true)
  expect(existsSync(git_dir)).toBe(false)
  const [kept] = listTrashedTrees(scene.repository.paths).filter(
    ({ id }) => id === scene.worktree.worktree_id,
  )
  expect(readFileSync(join(kept?.path ?? '', '.agency/git-dir/MERGE_HEAD'), 'utf8')).toBe(merged)
})
