// What is in a submodule's repository is in no commit of the tree. It goes to the trash with the tree and comes back.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { redoLast } from '../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../src/core/operations/history/undo-operation.ts'
import { removeWorktree } from '../../../src/core/operations/integration/remove-worktree.ts'
import { discardInvocation } from '../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../src/core/store/invocations.ts'
import { readWorktree } from '../../../src/core/store/worktrees.ts'
import { git } from '../../support/git/repository.ts'
import { treeManifest } from '../../support/git/tree-manifest.ts'
import { sampledOf } from '../../support/run/sampled.ts'
import { makeSandbox, makeWorktree, type Scene, shell } from '../../support/scene/sandbox.ts'
import { GIT, makeSubmoduleScene } from '../../support/scene/submodules.ts'

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record

const discard = ({ repository, record }: Scene) =>
  discardInvocation(repository, readInvocation(repository.paths, record.invocation_id), noneRuns)

const remove = ({ repository, worktree }: Scene, force = true) =>
  removeWorktree(repository, readWorktree(repository.paths, worktree.worktree_id), {
    force,
    end: noneRuns,
    progress: () => {},
  })

/** What the person's git shows of a submodule. */
const picture = (path: string) => ({
  files: treeManifest(path, new Set(['.git', 'inner/.git'])),
  refs: git(path, 'for-each-ref', '--format=%(refname) %(objectname)'),
  head: git(path, 'rev-parse', 'HEAD'),
  status: git(path, 'status', '--porcelain=v2', '--branch', '--ignored'),
  stash: git(path, 'stash', 'list', '--format=%s'),
  fsck: git(path, 'fsck', '--no-dangling'),
})

const INIT = `${GIT} submodule --quiet update --init`
const COMMIT = 'echo more >> l; git commit -qam more'

const WORK: readonly (readonly [what: string, script: string, submodules: readonly string[]])[] = [
  ['commits on no branch', `${INIT}; cd lib; ${COMMIT}; cd ..; git add lib; git commit -qm bump`, ['lib']],
  ['commits that the tree does not name', `${INIT}; cd lib; git checkout -q -b mine; ${COMMIT}`, ['lib']],
  [
    'edits, new files, a stash',
    `${INIT}; cd lib; echo s > l; git stash -q; echo new > new; echo edit >> l; echo x > x; git add x`,
    ['lib'],
  ],
  [
    'commits in a submodule of it',
    `${INIT} --recursive; cd lib/inner; echo more >> i; git commit -qam more; echo edit >> i; cd ..; git add inner; git commit -qm bump`,
    ['lib', 'lib/inner'],
  ],
  [
    'a submodule that was added there',
    `${GIT} submodule --quiet add --name own/name ../../../../../../inner own; git commit -qm own; cd own; echo more >> i; git commit -qam more`,
    ['own'],
  ],
  [
    'a repository of its own in a directory',
    'git init -q old; cd old; echo o > o; git add o; git commit -qm o; cd ..; git -c advice.addEmbeddedRepo=false add old; git commit -qm old',
    ['old'],
  ],
]

/** The person's git deletes whatever it can, and another tree takes the name that git had given the removed one. */
async function meanwhile({ root, repository }: Scene): Promise<void> {
  await makeSandbox(repository, await makeWorktree(repository, 'other'))
  git(root, 'reflog', 'expire', '--expire=now', '--all')
  git(root, 'gc', '-q', '--prune=now')
}

/** For a path that leads from a tree to where the upstream repositories lie, whichever tree it is. */
const at = (scene: Scene, script: string): string =>
  script.replace('../../../../../../inner', join(scene.root, '..', 'inner').replaceAll(' ', '\\ '))

describe('the repositories of submodules come back by undo, although the person’s git has deleted what it could', () => {
  test.each(sampledOf(WORK))('of the person’s tree and an agent’s: %s', async (_, script, submodules) => {
    const scene = await makeSubmoduleScene()
    const trees = [scene.tree, scene.worktree.tree_path]
    for (const tree of trees) shell(tree, at(scene, script))
    const paths = trees.flatMap((tree) => submodules.map((path) => join(tree, path)))
    const before = paths.map(picture)
    // git itself refuses to remove such a tree.
    await expect(remove(scene, false)).rejects.toMatchObject({ code: 'E_WORKTREE_DIRTY' })
    const { notes } = await remove(scene)
    expect(notes.join()).toContain(submodules[0])
    await meanwhile(scene)
    await undoLast(scene.repository)
    expect(paths.map(picture)).toEqual(before)
    await redoLast(scene.repository)
    expect(trees.map((tree) => existsSync(tree))).toEqual([false, false])
    await undoLast(scene.repository)
    expect(paths.map(picture)).toEqual(before)
  })

  test('after a discard, and git goes on working in them', async () => {
    const scene = await makeSubmoduleScene()
    shell(scene.tree, `${INIT} --recursive; cd lib/inner; echo more >> i; git commit -qam more`)
    const path = join(scene.tree, 'lib/inner')
    const before = picture(path)
    await discard(scene)
    await meanwhile(scene)
    await undoLast(scene.repository)
    expect(picture(path)).toEqual(before)
    shell(scene.tree, `${INIT} --force --recursive; git submodule --quiet foreach --recursive git status`)
  })
})
