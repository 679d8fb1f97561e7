// Tells whether a file is what a killed write has left: the beginning of the file that was being written. Anything else
// is somebody else's.

import { readlinkSync } from 'node:fs'
import { lstatIfThere } from './files.ts'
import { LOG_BOUNDS, type OpenedFile, readRange, withRegularFile } from './regular-file.ts'

/** Whether `path` holds the same as `whole`, or its beginning. A link is never half made: it has to have the same target. */
export function isWrittenInPart(path: Buffer, whole: Buffer): boolean {
  const here = lstatIfThere(path)
  const there = lstatIfThere(whole)
  if (here === null || there === null) return false
  if (here.isSymbolicLink()) return there.isSymbolicLink() && targetOf(path).equals(targetOf(whole))
  if (here.isDirectory()) return there.isDirectory()
  return here.isFile() && there.isFile() && beginsAlike(path, whole)
}

const targetOf = (link: Buffer): Buffer => readlinkSync(link, { encoding: 'buffer' })

const CHUNK = 1 << 16

/** Whether the first file has the same bytes as the beginning of the second. */
const beginsAlike = (short: Buffer, long: Buffer): boolean =>
  withRegularFile(short, LOG_BOUNDS, (a) => withRegularFile(long, LOG_BOUNDS, (b) => isBeginning(a, b))) ??
  false

function isBeginning(short: OpenedFile, long: OpenedFile): boolean {
  const { size } = short.stats
  if (size > long.stats.size) return false
  for (let at = 0; at < size; at += CHUNK) {
    const end = Math.min(size, at + CHUNK)
    if (!readRange(short.fd, at, end).equals(readRange(long.fd, at, end))) return false
  }
  return true
}
