// Paths in a tree as git gives them, byte for byte: they need not be text.

import { readdirSync, rmdirSync, type Stats } from 'node:fs'
import { rawBytes } from '../../model/raw-bytes.ts'
import { deletePath, isErrno, lstatIfThere } from './files.ts'

/** `a`, `a/b` for `a/b/c`. */
export const parentsOf = (path: string): string[] =>
  path.split('/').flatMap((_, at, parts) => (at === 0 ? [] : parts.slice(0, at).join('/')))

/** What lies there itself, links not followed; null for nothing. */
export const statAt = (tree: string, path: string): Stats | null => lstatIfThere(rawPath(tree, path))

export const rawPath = (tree: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), rawBytes(path)])

/** Raw paths of all but directories, at any depth; none where the path itself is no directory. */
export function filesBelow(tree: string, path: string): string[] {
  if (statAt(tree, path)?.isDirectory() !== true) return []
  const entries = readdirSync(rawPath(tree, path), { encoding: 'latin1', withFileTypes: true })
  return entries.flatMap((entry) => {
    const below = `${path}/${entry.name}`
    return entry.isDirectory() ? filesBelow(tree, below) : [below]
  })
}

/** As git does it: directories above that are empty then go as well, up to the tree's root. */
export function deleteFromTree(tree: string, path: string): void {
  deletePath(rawPath(tree, path))
  for (const parent of parentsOf(path).reverse()) {
    if (!removeIfEmpty(rawPath(tree, parent))) return
  }
}

/** False where it stays. */
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
