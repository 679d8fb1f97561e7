// Notes in the directories of linked work trees that do not say what they have to. What belongs there is known, so it can
// be written anew: where the shared git directory lies, and whose directory this is.

import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TreeLocation } from '../effects.ts'
import {
  isDirectoryItself,
  lstatIfThere,
  readTextIfRegular,
  realPathIfThere,
  toOurError,
} from '../system/files.ts'
import { moveAside } from './git-reads.ts'
import { COMMON_DIR, type ListedNote, listLinkedDirs, whyUnlisted } from './linked-notes.ts'
import { isLinkedTo, linkedTreeOf } from './linked-worktrees.ts'

export interface DamagedNote<T extends TreeLocation = TreeLocation> {
  /** git's directory of the work tree. */
  readonly dir: string
  readonly name: ListedNote
  /** In words, like 'it is empty'. */
  readonly why: string
  /** What has to be there; null: nothing. */
  readonly belongs: string | null
  /** Whose it is, if that is one of ours. */
  readonly tree: T | null
}

/**
 * `trees` are open. Of all others only those notes are looked at that keep git from listing work trees: what else a tree of
 * somebody else's notes is not ours to know.
 */
export function findDamagedNotes<T extends TreeLocation>(
  commonDir: string,
  trees: readonly T[],
): DamagedNote<T>[] {
  return listLinkedDirs(commonDir).flatMap((dir) => {
    const tree = trees.find(({ git_dir, tree_path }) => git_dir === dir && isLinkedTo(tree_path, dir)) ?? null
    const note = (name: ListedNote, belongs: string | null, wrong: string | null): DamagedNote<T>[] => {
      const why = whyUnlisted(dir, name) ?? wrong
      return why === null ? [] : [{ dir, name, why, belongs, tree }]
    }
    return [
      ...note('commondir', COMMON_DIR, isInUse(dir) || tree !== null ? whyAstray(commonDir, dir) : null),
      ...note('locked', null, null),
      ...(tree === null ? [] : note('gitdir', gitDirNote(tree), whyNotOf(tree))),
    ]
  })
}

/** Whether the tree that it names has it for its directory. */
function isInUse(dir: string): boolean {
  const tree = linkedTreeOf(dir)
  return tree !== null && isLinkedTo(tree, dir)
}

function whyAstray(commonDir: string, dir: string): string | null {
  const said = readNote(dir, 'commondir')
  if (said === null) return 'it is gone'
  return realPathIfThere(resolve(dir, said)) === commonDir ? null : 'it does not lead to the repository'
}

/** Where another tree has the directory, the record of this one is wrong, and not the note. */
function whyNotOf({ git_dir, tree_path }: TreeLocation): string | null {
  const noted = linkedTreeOf(git_dir)
  if (noted === tree_path || isInUse(git_dir)) return null
  return readNote(git_dir, 'gitdir') === null ? 'it is gone' : `it does not name ${tree_path}`
}

const readNote = (dir: string, name: ListedNote): string | null =>
  readTextIfRegular(join(dir, name))?.replace(/\n$/, '') ?? null

/** The caller has found it again under the lock. What lay there is kept aside. */
export function mendNote(commonDir: string, note: Pick<DamagedNote, 'dir' | 'name' | 'belongs'>): void {
  const { dir, name, belongs } = note
  const path = join(dir, name)
  try {
    if (lstatIfThere(path) !== null) moveAside(commonDir, path)
    if (belongs !== null) writeFileSync(path, belongs, { flag: 'wx' })
  } catch (error) {
    throw toOurError(path, error)
  }
}

/**
 * Before a tree is let go: where its directory no longer names it, git could neither forget it nor keep what only that
 * directory has. The tree itself says that it is its own.
 */
export function reclaimGitDir(commonDir: string, where: TreeLocation): void {
  const { git_dir: dir, tree_path } = where
  if (dirname(dir) !== join(commonDir, 'worktrees') || !isDirectoryItself(dir)) return
  if (!isLinkedTo(tree_path, dir) || (whyUnlisted(dir, 'gitdir') ?? whyNotOf(where)) === null) return
  mendNote(commonDir, { dir, name: 'gitdir', belongs: gitDirNote(where) })
}

const gitDirNote = ({ tree_path }: TreeLocation): string => `${tree_path}/.git\n`
