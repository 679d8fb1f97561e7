// Whether what git was told about a tree is as it was: its HEAD, the refs it may mean, its index, the rules of what is ignored. Files and
// times are compared; git is asked only where they differ.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { readPlainIndex } from '../../model/index-file.ts'
import type { TreeLocation } from '../effects.ts'
import { stampOf } from '../system/file-stamp.ts'
import { readHeadStamp } from './read-head.ts'

/** Equal texts: nothing of it was written in between. */
export interface GitStamp {
  readonly head: string | null
  /** Where the branch is that HEAD names. */
  readonly refs: string
  readonly index: string
  readonly rules: string
}

/** `refsDir` holds the branches that HEAD may name, `outer` are files elsewhere that hold rules too. */
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
 * undefined where it is not an ordinary one (conflicts, files assumed unchanged, announced or left out, forms that are not
 * understood here); else the tree it makes, null where git has not noted that.
 */
export function readIndexTree(
  { git_dir }: Pick<TreeLocation, 'git_dir'>,
  objectSize: number,
): ObjectId | null | undefined {
  const bytes = readWhole(join(git_dir, 'index'))
  const index = bytes === null ? null : readPlainIndex(bytes, objectSize)
  if (index === null || index.announced) return undefined
  return index.tree === null ? null : parseObjectId(index.tree)
}

function readWhole(path: string): Buffer | null {
  try {
    const file = openSync(path, 'r')
    try {
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
