// Which paths a sandbox may never be: the pure half of the check that no runner writes to a tree of the person's.

import { isAbsolute, relative } from 'node:path'
import { AgencyError } from './errors.ts'

/**
 * True if the paths are equal or one lies in the other: then writing in one tree could reach the other. Both absolute
 * and real.
 */
export function pathsTouch(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a)
}

/** True if `path` is `root` itself or lies below it. */
export function isWithin(path: string, root: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way))
}

export const notOurs = (path: string, why: string): AgencyError =>
  new AgencyError('E_PATH_NOT_OURS', `${path} is not ours to change: ${why}`, { details: { path } })
