// A repository with a submodule `lib`, which has a submodule `inner` itself, and a worktree and a sandbox in which neither
// is checked out yet.

import { join } from 'node:path'
import { showPath } from '../../../src/core/model/sandbox-path.ts'
import { git, makeRepository } from '../git/repository.ts'
import { makeSandbox, makeScene, makeWorktree, type Scene, shell } from './sandbox.ts'

/** git refuses to clone from a path for a submodule unless it is told to. */
export const GIT = 'git -c protocol.file.allow=always'

export interface SubmoduleScene extends Scene {
  /** Where `lib` is cloned from. */
  readonly upstream: string
}

export async function makeSubmoduleScene(): Promise<SubmoduleScene> {
  const scene = await makeScene({ a: 'a\n' })
  const { root, repository } = scene
  const upstream = join(root, '..', 'lib')
  makeRepository(join(root, '..', 'inner'), { i: 'i\n' })
  makeRepository(upstream, { l: 'l\n' })
  shell(upstream, `${GIT} submodule --quiet add "${join(root, '..', 'inner')}" inner; git commit -qm inner`)
  shell(root, `${GIT} submodule --quiet add "${upstream}" lib; git commit -qm lib`)
  const worktree = await makeWorktree(repository, 'libs')
  git(worktree.tree_path, 'reset', '-q', '--hard', 'main')
  const record = await makeSandbox(repository, worktree)
  return { ...scene, upstream, worktree, record, tree: showPath(record.sandbox_path) }
}
