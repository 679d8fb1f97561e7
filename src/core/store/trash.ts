// Trees in the trash. The name of each says whose it was and when it was thrown away. Its ending says whether it is
// being deleted or waits to be brought back, so one rename decides that for good.

import { basename, dirname, join } from 'node:path'
import { isDirectoryItself, listNames } from '../doors/system/files.ts'
import { formatStampedId, type Stamp } from '../model/ids.ts'
import type { RepoPaths } from './paths.ts'

export interface TrashedTree {
  readonly path: string
  /** Id of an invocation or a worktree. */
  readonly id: string
  readonly at: Date
  /** It waits to be brought back. A tree that is not kept is being deleted, or was when its deleter was killed. */
  readonly kept: boolean
}

const NAME = /^(\d{14}-[0-9a-f]{4})-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-[0-9a-f]{4}(\.kept)?$/

export const trashTreePath = ({ trashDir }: RepoPaths, id: string, { now, random }: Stamp): string =>
  join(trashDir, `${id}-${formatStampedId(now, random)}`)

export const keptTreePath = (paths: RepoPaths, id: string, stamp: Stamp): string =>
  `${trashTreePath(paths, id, stamp)}.kept`

/** Whether `keptTreePath` may have returned this path. */
export const isKeptTreePath = ({ trashDir }: RepoPaths, path: string): boolean =>
  dirname(path) === trashDir && parseName(path, basename(path))?.kept === true

/** Oldest first. Without entries that have no name of ours or are no directory: those are not ours to delete. Another process may be deleting one. */
export function listTrashedTrees({ trashDir }: RepoPaths): TrashedTree[] {
  if (!isDirectoryItself(trashDir)) return []
  return listNames(trashDir)
    .flatMap((name) => {
      const path = join(trashDir, name)
      const tree = parseName(path, name)
      return tree !== null && isDirectoryItself(path) ? [tree] : []
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

function parseName(path: string, name: string): TrashedTree | null {
  const found = NAME.exec(name)
  if (found === null) return null
  const [, id = '', year, month, day, hour, minute, second, kept] = found
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return { path, id, at, kept: kept !== undefined }
}
