// Making and unmaking a linked git worktree: the common ground of integration trees and sandboxes.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RepositoryGit } from '../../../doors/effects.ts'
import { DIR_MODE, listNames, readTextIfThere, speakOurErrors } from '../../../doors/system/files.ts'
import { AgencyError } from '../../../model/errors.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { isWithin } from '../../../model/path-safety.ts'

export interface NewTree {
  readonly tree_path: string
  readonly branch: string
  readonly start: ObjectId
}

/** Registers the tree and its new branch with git, in milliseconds at any size: no file is checked out. Returns its git directory. */
export async function addTree(git: RepositoryGit, tree: NewTree): Promise<string> {
  await speakOurErrors(tree.tree_path, async () =>
    mkdirSync(dirname(tree.tree_path), { recursive: true, mode: DIR_MODE }),
  )
  await git.real.run([
    'worktree',
    'add',
    '--quiet',
    '--no-checkout',
    '--no-track',
    '-b',
    tree.branch,
    tree.tree_path,
    tree.start,
  ])
  return readGitDir(git, tree.tree_path)
}

/** Takes back `addTree`, whole or half done. The branch goes only while it still stands at `start`. */
export async function removeAddedTree(git: RepositoryGit, tree: NewTree): Promise<void> {
  for (const adminDir of adminDirsOf(git.commonDir, tree.tree_path))
    rmSync(adminDir, { recursive: true, force: true })
  rmSync(tree.tree_path, { recursive: true, force: true })
  await git.store.run(['update-ref', '--no-deref', '-d', `refs/heads/${tree.branch}`, tree.start], {
    answers: [1, 128],
  })
}

/** The `.git/worktrees/<n>` directories whose `gitdir` says that they belong to `treePath`. */
export function adminDirsOf(commonDir: string, treePath: string): string[] {
  const root = join(commonDir, 'worktrees')
  return listNames(root)
    .map((name) => join(root, name))
    .filter((dir) => readTextIfThere(join(dir, 'gitdir'))?.replace(/\n$/, '') === join(treePath, '.git'))
}

function readGitDir(git: RepositoryGit, treePath: string): string {
  const gitDir = readFileSync(join(treePath, '.git'), 'utf8')
    .replace(/^gitdir: /, '')
    .replace(/\n$/, '')
  if (!isWithin(gitDir, join(git.commonDir, 'worktrees'))) {
    throw new AgencyError(
      'E_GIT_FAILED',
      `git put the worktree's own directory at an unexpected place: ${gitDir}`,
    )
  }
  return gitDir
}
