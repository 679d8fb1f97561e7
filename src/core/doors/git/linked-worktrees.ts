// Linked git worktrees: making one, finding its directory in `.git/worktrees`, and having git forget it.

import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { isWithin, notOurs } from '../../model/path-safety.ts'
import type { RepositoryGit, TreeLocation } from '../effects.ts'
import { DIR_MODE, isErrno, listNames, readTextIfThere, speakOurErrors } from '../system/files.ts'

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

/** Deletes the worktree's directory in `.git/worktrees`, where that still is the one of this tree. */
export function forgetWorktree(commonDir: string, { git_dir, tree_path }: TreeLocation): void {
  if (!isInAdministration(commonDir, git_dir)) {
    throw notOurs(git_dir, 'it is no worktree of this repository')
  }
  if (treeOf(git_dir) === tree_path) rmSync(git_dir, { recursive: true, force: true, maxRetries: 3 })
}

/** Where git's note says that the worktree's tree is. null where there is no such worktree. */
export function treeOf(gitDir: string): string | null {
  try {
    if (!lstatSync(gitDir).isDirectory()) return null
    return dirname(readFileSync(join(gitDir, 'gitdir'), 'utf8').replace(/\n$/, ''))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

/** Agents can write records: the directory is a worktree's of this repository, and of this tree. */
export const isGitDirOf = (commonDir: string, { git_dir, tree_path }: TreeLocation): boolean =>
  isInAdministration(commonDir, git_dir) && treeOf(git_dir) === tree_path

/** The worktree's directory as git has it now; the recorded one where git knows none. */
export function findGitDir(commonDir: string, { git_dir, tree_path }: TreeLocation): string {
  if (isGitDirOf(commonDir, { git_dir, tree_path })) return git_dir
  const worktrees = join(commonDir, 'worktrees')
  const dirs = listNames(worktrees).map((name) => join(worktrees, name))
  return dirs.find((dir) => treeOf(dir) === tree_path) ?? git_dir
}

const isInAdministration = (commonDir: string, gitDir: string): boolean =>
  dirname(gitDir) === join(commonDir, 'worktrees') && basename(gitDir) !== '..'
