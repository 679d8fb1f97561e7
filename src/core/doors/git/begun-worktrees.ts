// Directories in `.git/worktrees` that a killed `git worktree add` had only begun: it locks the directory first, then notes
// whose it is. Without that note nobody can tell, and for the lock git never clears it.

import { type Dirent, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno, listDirents, lstatIfThere } from '../system/files.ts'
import { type Locked, lockHolder } from './stale-locks.ts'

/** Those that no git can be making any more. */
export function listBegunWorktrees(repository: Locked): string[] {
  const root = join(repository.git.commonDir, 'worktrees')
  return listDirents(root)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, name))
    .filter((dir) => isLeft(repository, dir))
}

/** The caller holds the lock. Returns whether it is gone: meanwhile another git may have got the name. */
export function removeBegunWorktree(repository: Locked, dir: string): boolean {
  const entries = isLeft(repository, dir) ? listBeginning(dir) : null
  if (entries === null) return lstatIfThere(dir) === null
  for (const { name } of entries) unlinkSync(join(dir, name))
  try {
    rmdirSync(dir)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY')) return false
    throw error
  }
}

/** What a git at work there has is the directory itself, and each file in it. */
const isLeft = (repository: Locked, dir: string): boolean =>
  listBeginning(dir)?.every(({ name }) => lockHolder(repository, join(dir, name)) === null) === true &&
  lockHolder(repository, dir) === null

/** null where it holds more than git has written by then, or cannot be read. An empty note is one that was being written. */
function listBeginning(dir: string): Dirent[] | null {
  try {
    const entries = readdirSync(dir, { withFileTypes: true })
    return entries.every((entry) => isOfBeginning(dir, entry)) ? entries : null
  } catch {
    return null
  }
}

const isOfBeginning = (dir: string, entry: Dirent): boolean =>
  entry.isFile() &&
  (entry.name === 'locked' || (entry.name === 'gitdir' && lstatIfThere(join(dir, entry.name))?.size === 0))
