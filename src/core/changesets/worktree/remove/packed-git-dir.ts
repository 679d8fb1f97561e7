// The git directory of a linked worktree on its way to the trash and back. At every moment one of the two counts: the
// directory in `.git/worktrees` as long as its `gitdir` names the tree, and otherwise the one that is packed up.

import { mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TreeLocation } from '../../../doors/effects.ts'
import { findGitDir, isGitDirOf } from '../../../doors/git/linked-worktrees.ts'
import { DIR_MODE, deletePath, lstatIfThere, toOurError } from '../../../doors/system/files.ts'
import { isRealDirectory } from '../../presence.ts'
import { relinkSubmodules } from '../restore/relink-submodules.ts'
import { dropLocks } from '../restore/states-in-progress.ts'
import { allowMoving, makeRoom, moveDirectory } from './pack-up.ts'

export const packedGitDir = (treePath: string): string => join(treePath, '.agency', 'git-dir')

/** False where git knows no such tree, perhaps because an earlier, killed attempt has packed it up. */
export function packGitDir(commonDir: string, where: TreeLocation, into = where.tree_path): boolean {
  const gitDir = findGitDir(commonDir, where)
  if (!isGitDirOf(commonDir, { ...where, git_dir: gitDir })) return false
  const packed = packedGitDir(into)
  try {
    mkdirSync(into, { recursive: true, mode: DIR_MODE })
    makeRoom(packed)
    allowMoving(gitDir)
    moveDirectory(gitDir, packed, () => unlinkSync(join(gitDir, 'gitdir')))
  } catch (error) {
    throw toOurError(gitDir, error)
  }
  return true
}

/**
 * Moves it back, in place of the one that git has made for the tree meanwhile. Returns false where nothing is packed up,
 * or where another worktree has got its name.
 */
export function unpackGitDir(commonDir: string, where: TreeLocation): boolean {
  const packed = packedGitDir(where.tree_path)
  if (!isRealDirectory(packed)) return false
  const gitDir = findGitDir(commonDir, where)
  const free = lstatIfThere(gitDir) === null && dirname(gitDir) === join(commonDir, 'worktrees')
  if (!free && !isGitDirOf(commonDir, { ...where, git_dir: gitDir })) return false
  try {
    // What git reads or we write there is a file: a link could lead anywhere, and a pipe could keep git waiting.
    for (const name of ['HEAD', 'index', 'commondir', 'gitdir']) dropUnlessFile(join(packed, name))
    writeFileSync(join(packed, 'commondir'), '../..\n')
    writeFileSync(join(packed, 'gitdir'), `${where.tree_path}/.git\n`)
    dropLocks(packed)
    mkdirSync(dirname(gitDir), { recursive: true, mode: DIR_MODE })
    rmSync(gitDir, { recursive: true, force: true, maxRetries: 3 })
    moveDirectory(packed, gitDir, () => {})
  } catch (error) {
    throw toOurError(gitDir, error)
  }
  relinkSubmodules(where.tree_path, gitDir)
  return true
}

function dropUnlessFile(path: string): void {
  if (lstatIfThere(path)?.isFile() !== true) deletePath(path)
}
