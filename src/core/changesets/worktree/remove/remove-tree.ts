// The only place where a work tree leaves its place: moved away at once, deleted in the background or kept for undo.

import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TreeLocation } from '../../../doors/effects.ts'
import { DIR_MODE, isErrno, listNames, lstatIfThere } from '../../../doors/system/files.ts'
import { notOurs } from '../../../model/path-safety.ts'
import type { Repository } from '../../../store/repository.ts'
import { keptTreePath, trashTreePath } from '../../../store/trash.ts'
import { type OurTree, proveOurs } from '../proof/our-tree.ts'
import { refuseHeld } from './held-store.ts'

/**
 * `wholeAt`: when git held all files, in milliseconds since the epoch; null where it never did. Throws E_PATH_NOT_OURS.
 * What an earlier, killed attempt had done already is not done twice.
 */
export function removeTree(repository: Repository, tree: OurTree, wholeAt: number | null): void {
  const { effects, paths } = repository
  const stamp = { now: effects.clock.now(), random: effects.random() }
  const to = (wholeAt === null ? keptTreePath : trashTreePath)(paths, tree.id, stamp)
  const moved = moveOurs(repository, tree, to)
  effects.onStep('make git forget the tree')
  forgetWorktree(repository, tree)
  effects.onStep('delete the tree')
  if (moved && wholeAt !== null) effects.processes.deleteLater(to, wholeAt)
}

/** False where nothing is there. What was moved is what was proved, or it is back at its place and E_PATH_NOT_OURS thrown. */
export function moveOurs(repository: Repository, tree: OurTree, to: string): boolean {
  const path = tree.tree_path
  const seen = lstatIfThere(path)
  if (proveOurs(repository, tree) === 'gone' || seen === null) return false
  refuseHeld(repository.git.commonDir, path)
  mkdirSync(repository.paths.trashDir, { recursive: true, mode: DIR_MODE })
  repository.effects.onStep('move the tree to the trash')
  renameSync(path, to)
  const moved = lstatSync(to)
  if (moved.ino === seen.ino && moved.dev === seen.dev) return true
  renameSync(to, path)
  throw notOurs(path, 'another directory was put in its place')
}

/** Deletes the worktree's directory in `.git/worktrees`, where that still is the one of this tree. */
export function forgetWorktree(repository: Repository, { git_dir, tree_path }: TreeLocation): void {
  if (!isInAdministration(repository.git.commonDir, git_dir)) {
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

const isInAdministration = (commonDir: string, gitDir: string): boolean =>
  dirname(gitDir) === join(commonDir, 'worktrees') && basename(gitDir) !== '..'

/** The worktree's directory as git has it now; the recorded one where git knows none. */
export function findGitDir({ git }: Repository, { git_dir, tree_path }: TreeLocation): string {
  if (isGitDirOf(git.commonDir, { git_dir, tree_path })) return git_dir
  const worktrees = join(git.commonDir, 'worktrees')
  const dirs = listNames(worktrees).map((name) => join(worktrees, name))
  return dirs.find((dir) => treeOf(dir) === tree_path) ?? git_dir
}
