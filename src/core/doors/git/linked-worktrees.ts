// Linked git worktrees: making one, finding its directory in `.git/worktrees`, and having git forget it.

import { mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { isWithin, notOurs } from '../../model/path-safety.ts'
import type { RepositoryGit, TreeLocation } from '../effects.ts'
import { DIR_MODE, isDirectoryItself, listNames, readTextIfRegular, speakOurErrors } from '../system/files.ts'
import { RECORD_BOUNDS } from '../system/regular-file.ts'

export interface NewTree {
  readonly tree_path: string
  readonly branch: string
  readonly start: ObjectId
}

/**
 * Registers a tree and its new branch with git, in milliseconds at any size because no file is checked out. Returns the
 * tree's git directory.
 */
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

/** Takes back `addTree`, whole or half done. Deletes the branch only if it is still at `start`. */
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
    .filter((dir) => readTextIfRegular(join(dir, 'gitdir'))?.replace(/\n$/, '') === join(treePath, '.git'))
}

/** The git directory that the tree's `.git` names; null where it is no such file. Paths may hold newlines. */
export function gitDirNamedBy(treePath: string): string | null {
  const text = readTextIfRegular(join(treePath, '.git'), RECORD_BOUNDS) ?? ''
  return /^gitdir: ([\s\S]+?)\n?$/.exec(text)?.[1] ?? null
}

/** Whether the tree's `.git` names this git directory, in whatever way. */
export function isLinkedTo(treePath: string, gitDir: string): boolean {
  const named = gitDirNamedBy(treePath)
  return named !== null && resolve(treePath, named) === gitDir
}

function readGitDir(git: RepositoryGit, treePath: string): string {
  const gitDir = gitDirNamedBy(treePath) ?? ''
  if (!isWithin(gitDir, join(git.commonDir, 'worktrees'))) {
    throw new AgencyError(
      'E_GIT_FAILED',
      `git put the worktree's own directory at an unexpected place: ${gitDir}`,
    )
  }
  return gitDir
}

/** Deletes the worktree's directory in `.git/worktrees`, if it still is the one of this tree. */
export function forgetWorktree(commonDir: string, { git_dir, tree_path }: TreeLocation): void {
  if (!isInAdministration(commonDir, git_dir)) {
    throw notOurs(git_dir, 'it is no worktree of this repository')
  }
  if (linkedTreeOf(git_dir) === tree_path) rmSync(git_dir, { recursive: true, force: true, maxRetries: 3 })
}

/** The paths of all trees that git has noted. */
export const listNotedTrees = (commonDir: string): string[] =>
  listNames(join(commonDir, 'worktrees')).flatMap(
    (name) => linkedTreeOf(join(commonDir, 'worktrees', name)) ?? [],
  )

/** The path that git has noted for the worktree; null where there is no such worktree, or its note is no file. */
export function linkedTreeOf(gitDir: string): string | null {
  if (!isDirectoryItself(gitDir)) return null
  const noted = readTextIfRegular(join(gitDir, 'gitdir'))
  return noted === null ? null : dirname(noted.replace(/\n$/, ''))
}

/**
 * Whether the directory belongs to a worktree of this repository and to this tree. Asked because agents can write
 * records.
 */
export const isGitDirOf = (commonDir: string, { git_dir, tree_path }: TreeLocation): boolean =>
  isInAdministration(commonDir, git_dir) && linkedTreeOf(git_dir) === tree_path

/** The worktree's directory as git has it now; where git knows none, the one that the record names. */
export function findGitDir(commonDir: string, { git_dir, tree_path }: TreeLocation): string {
  if (isGitDirOf(commonDir, { git_dir, tree_path })) return git_dir
  const worktrees = join(commonDir, 'worktrees')
  const dirs = listNames(worktrees).map((name) => join(worktrees, name))
  return dirs.find((dir) => linkedTreeOf(dir) === tree_path) ?? git_dir
}

const isInAdministration = (commonDir: string, gitDir: string): boolean =>
  dirname(gitDir) === join(commonDir, 'worktrees') && basename(gitDir) !== '..'
