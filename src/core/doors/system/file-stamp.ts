// Whether and when a file was written, without reading it.

import { statSync } from 'node:fs'

/** If two stamps are equal, it is the same file and nobody has written it. */
export function stampOf(path: string): string {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false })
  return there === undefined ? 'none' : `${there.ino}-${there.size}-${there.mtimeNs}-${there.ctimeNs}`
}

/** Milliseconds since the epoch; null for an empty file, and where there is none. */
export function lastWrittenAt(path: string): number | null {
  const there = statSync(path, { throwIfNoEntry: false })
  return there === undefined || there.size === 0 ? null : there.mtimeMs
}
