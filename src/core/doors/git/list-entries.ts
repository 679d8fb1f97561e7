// What a tree has at some paths, in the form in which `git update-index --index-info` reads it back.

import { rawFields, rawOf, showRaw } from '../../model/raw-bytes.ts'
import type { Git } from '../effects.ts'

const MOST_ARGUMENTS = 500

/** Raw lines `mode type object TAB path` for those of these raw paths that are files of the tree. */
export async function listEntries(git: Git, tree: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  // An argument is text: a name that is not UTF-8 is looked up in the whole list.
  const few = paths.length < MOST_ARGUMENTS && paths.every((path) => rawOf(showRaw(path)) === path)
  const only = few ? ['--', ...paths.map(showRaw)] : []
  const listed = rawFields((await git.run(['ls-tree', '-r', '-z', '--full-tree', tree, ...only])).stdout)
  const wanted = new Set(paths)
  return listed.filter((line) => wanted.has(pathOfEntry(line)))
}

export const pathOfEntry = (line: string): string => line.slice(line.indexOf('\t') + 1)
