// Trees in the trash. The name of each says whose it was and when it was thrown away. Its ending says whether it is
// being deleted or waits to be brought back, so one rename decides that for good. What had no record waits there too.

import { basename, dirname, join } from 'node:path'
import { isDirectoryItself, listNames, lstatIfThere } from '../doors/system/files.ts'
import { formatStampedId, type Stamp } from '../model/ids.ts'
import type { RepoPaths } from './paths.ts'

export interface TrashedTree {
  readonly path: string
  /** Id of an invocation or a worktree. */
  readonly id: string
  readonly at: Date
  readonly state: TrashState
}

/**
 * `kept`: it waits to be brought back. `unrecorded`: all of a sandbox that nobody has a record of, with its tree in it; no
 * verb brings it back. `going`: it is being deleted, or was when its deleter was killed.
 */
export type TrashState = 'kept' | 'unrecorded' | 'going'

const NAME =
  /^(\d{14}-[0-9a-f]{4})-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-[0-9a-f]{4}(?:\.(kept|unrecorded))?$/
/** A name that does not say when. */
const UNTIMED = /^(\d{14}-[0-9a-f]{4})-unrecorded$/

export const trashTreePath = ({ trashDir }: RepoPaths, id: string, { now, random }: Stamp): string =>
  join(trashDir, `${id}-${formatStampedId(now, random)}`)

export const keptTreePath = (paths: RepoPaths, id: string, stamp: Stamp): string =>
  `${trashTreePath(paths, id, stamp)}.kept`

export const unrecordedPath = (paths: RepoPaths, id: string, stamp: Stamp): string =>
  `${trashTreePath(paths, id, stamp)}.unrecorded`

/** Whether `keptTreePath` may have returned this path. */
export const isKeptTreePath = ({ trashDir }: RepoPaths, path: string): boolean =>
  dirname(path) === trashDir && parseName(path, basename(path))?.state === 'kept'

/** Oldest first. Without entries that have no name of ours or are no directory: those are not ours to delete. Another process may be deleting one. */
export function listTrashedTrees({ trashDir }: RepoPaths): TrashedTree[] {
  if (!isDirectoryItself(trashDir)) return []
  return listNames(trashDir)
    .flatMap((name) => {
      const path = join(trashDir, name)
      const tree = parseName(path, name) ?? readUntimed(path, name)
      return tree !== null && isDirectoryItself(path) ? [tree] : []
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

function parseName(path: string, name: string): TrashedTree | null {
  const found = NAME.exec(name)
  if (found === null) return null
  const [, id = '', year, month, day, hour, minute, second, ending] = found
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return { path, id, at, state: ending === 'kept' || ending === 'unrecorded' ? ending : 'going' }
}

/** The system notes when a directory was moved, and nobody can set that time. */
function readUntimed(path: string, name: string): TrashedTree | null {
  const id = UNTIMED.exec(name)?.[1]
  const there = id === undefined ? null : lstatIfThere(path)
  return id === undefined || there === null ? null : { path, id, at: there.ctime, state: 'unrecorded' }
}
