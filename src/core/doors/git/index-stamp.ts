// Tells whether HEAD, the refs it may name, the index and the ignore rules of a tree have changed since git was asked
// about it. Compares files and their times; git is asked again only where they differ.

import { join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { readPlainIndex } from '../../model/index-file.ts'
import type { TreeLocation } from '../effects.ts'
import { stampOf } from '../system/file-stamp.ts'
import { readIfRegular } from '../system/files.ts'
import { INDEX_BOUNDS, readRange, withRegularFile } from '../system/regular-file.ts'
import { readHeadStamp } from './read-head.ts'

/** If two of these are equal, nothing of it was written in between. */
export interface GitStamp {
  readonly head: string | null
  /** Where the branch is that HEAD names. */
  readonly refs: string
  readonly index: string
  readonly rules: string
}

/** `refsDir` holds the branches that HEAD may name. `outer` are files with rules outside of the repository. */
export function readGitStamp(
  { git_dir, refsDir }: { readonly git_dir: string; readonly refsDir: string },
  commonDir: string,
  outer: readonly string[],
): GitStamp {
  return {
    ...readHeadStamp(git_dir, refsDir),
    index: stampOf(join(git_dir, 'index')),
    rules: ['exclude', 'attributes', 'sparse-checkout']
      .map((name) => join(commonDir, 'info', name))
      .concat(outer)
      .map(stampOf)
      .join(),
  }
}

/**
 * The tree that the index makes; null if git has not noted it. undefined if the index is not an ordinary one: it has
 * conflicts, entries that are assumed unchanged, announced or left out, or a form that is not understood here.
 */
export function readIndexTree(
  { git_dir }: Pick<TreeLocation, 'git_dir'>,
  objectSize: number,
): ObjectId | null | undefined {
  const bytes = readIfRegular(join(git_dir, 'index'), INDEX_BOUNDS)
  const index = bytes === null ? null : readPlainIndex(bytes, objectSize)
  if (index === null || index.announced) return undefined
  return index.tree === null ? null : parseObjectId(index.tree)
}

/** Bytes of the header and of the shortest checksum. A shorter file is no index to git. */
const SHORTEST = 32
const BEGINNING = /^DIRC\0\0\0[\x02-\x04]$/

/** Whether the file begins as an index does; also where there is none. */
export function isIndexForm(path: string): boolean {
  try {
    const isForm = withRegularFile(path, INDEX_BOUNDS, ({ fd, stats }) => {
      return stats.size >= SHORTEST && BEGINNING.test(readRange(fd, 0, 8).toString('latin1'))
    })
    return isForm ?? true
  } catch (error) {
    if (error instanceof AgencyError) return false
    throw error
  }
}
