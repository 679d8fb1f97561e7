// What git notes in the directory of each linked work tree, and reads whenever it lists all of them: a note that cannot be
// read fails every other work tree's `git worktree add`, `git branch -d` and `git gc`. An agent can write its own.

import { accessSync, constants, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { isDirectoryItself, listDirents, lstatIfThere, pathExists } from '../system/files.ts'
import { NOTE_BOUNDS, oddityAt } from '../system/regular-file.ts'

/** What git looks at in each linked work tree in order to list them. */
export const LISTED_NOTES = ['HEAD', 'commondir', 'gitdir', 'locked'] as const
export type ListedNote = (typeof LISTED_NOTES)[number]

/** What `commondir` says: `.git` from `.git/worktrees/NAME`. */
export const COMMON_DIR = '../..\n'

/** What git has as `locked` while it makes a worktree. */
const BEING_MADE = 'locked'
/** Milliseconds. git fills a note at once; for a moment it is empty. */
const MOMENT = 10_000

/** git's directories of linked work trees; no link is followed. */
export function listLinkedDirs(commonDir: string): string[] {
  const root = join(commonDir, 'worktrees')
  const isTrees = (entry: Dirent): boolean => entry.isDirectory()
  if (!isDirectoryItself(root)) return []
  return listDirents(root)
    .filter(isTrees)
    .map(({ name }) => join(root, name))
}

/** Why git cannot list work trees for this note, in words like 'it is empty'; null where it can. */
export function whyUnlisted(dir: string, name: ListedNote): string | null {
  const path = join(dir, name)
  const odd = oddityAt(path, NOTE_BOUNDS)
  // git does without a note of the tree or a HEAD that it cannot read.
  if (odd !== null || name === 'HEAD' || name === 'gitdir') return odd
  const there = lstatIfThere(path)
  if (there === null) return null
  if (!pathExists(path)) return 'it is a link that leads nowhere'
  if (!isReadable(path)) return 'it may not be read'
  return name === 'commondir' && there.size === 0 ? 'it is empty' : null
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Whether a git may be writing the note just now. */
export function isBeingWritten(dir: string, name: ListedNote): boolean {
  const there = lstatIfThere(join(dir, name))
  if (name !== 'commondir' || there?.isFile() !== true || there.size > 0) return false
  return lstatIfThere(join(dir, BEING_MADE)) !== null && Math.abs(Date.now() - there.mtimeMs) < MOMENT
}
