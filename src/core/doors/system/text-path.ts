// Paths that are not UTF-8. Node gives arguments, variables and the present directory as text, with U+FFFD for every
// byte that is none, and such a path leads nowhere, or to another place if a directory is made there.

import { existsSync } from 'node:fs'
import { AgencyError } from '../../model/errors.ts'

const NO_TEXT = '\ufffd'

/** Throws E_PATH_NOT_TEXT. A path that holds U+FFFD itself is good if it leads somewhere. */
export function requireTextPath(path: string): void {
  const last = path.lastIndexOf(NO_TEXT)
  if (last < 0) return
  const end = path.indexOf('/', last)
  if (existsSync(end < 0 ? path : path.slice(0, end))) return
  throw new AgencyError('E_PATH_NOT_TEXT', `${path} has bytes in it that are not UTF-8`)
}
