// Whether a file was written since it was last looked at, without reading it.

import { statSync } from 'node:fs'

/** If two stamps are equal, it is the same file and nobody has written it. */
export function stampOf(path: string): string {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false })
  return there === undefined ? 'none' : `${there.ino}-${there.size}-${there.mtimeNs}-${there.ctimeNs}`
}
