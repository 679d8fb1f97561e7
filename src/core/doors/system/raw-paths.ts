// Paths in a tree as git gives them, byte for byte: they need not be text.

import { readdirSync, rmdirSync, type Stats } from 'node:fs'
import { rawBytes } from '../../model/raw-bytes.ts'
import { deletePath, isErrno, lstatIfThere } from './files.ts'

/** `a`, `a/b` for `a/b/c`. */
export const parentsOf = (path: string): string[] =>
  path.split('/').flatMap((_, at, parts) => (at === 0 ? [] : parts.slice(0, at).join('/')))

/**
 * What lies at the path itself, without following a link; null for nothing. A path that is plain text is not turned into
 * bytes, which would cost half as much again as the look, where it is asked of each of 50,000 files.
 */
export const statAt = (tree: string, path: string): Stats | null =>
  lstatIfThere(BEYOND_ASCII.test(path) ? rawPath(tree, path) : `${tree}/${path}`)

const BEYOND_ASCII = /[\x80-\xff]/

export const rawPath = (tree: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), rawBytes(path)])

/** The raw paths of all that is not a directory, at any depth; none if the path itself is not a directory. */
export function filesBelow(tree: string, path: string): string[] {
  if (statAt(tree, path)?.isDirectory() !== true) return []
  const entries = readdirSync(rawPath(tree, path), { encoding: 'latin1', withFileTypes: true })
  return entries.flatMap((entry) => {
    const below = `${path}/${entry.name}`
    return entry.isDirectory() ? filesBelow(tree, below) : [below]
  })
}

/** Also deletes the directories above it that are empty then, as git does, but not the tree's root. */
export function deleteFromTree(tree: string, path: string): void {
  deletePath(rawPath(tree, path))
  deleteEmptyDirectories(tree, parentsOf(path).at(-1))
}

/** The directory, and those above it that are empty then; stops at the first that is not, and before the tree's root. */
export function deleteEmptyDirectories(tree: string, path: string | undefined): void {
  if (path === undefined) return
  for (const dir of [...parentsOf(path), path].reverse()) if (!removeIfEmpty(rawPath(tree, dir))) return
}

/** Returns whether it is gone. */
function removeIfEmpty(dir: Buffer): boolean {
  try {
    rmdirSync(dir)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY') || isErrno(error, 'EEXIST') || isErrno(error, 'ENOTDIR')) return false
    if (isErrno(error, 'ENOENT')) return true
    throw error
  }
}
