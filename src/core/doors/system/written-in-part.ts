// Tells whether a file is what a killed write has left: the beginning of the file that was being written. Anything else
// is somebody else's.

import { closeSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { lstatIfThere } from './files.ts'

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
function beginsAlike(short: Buffer, long: Buffer): boolean {
  if (lstatSync(short).size > lstatSync(long).size) return false
  const files = [openSync(short, 'r'), openSync(long, 'r')] as const
  try {
    const [a, b] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)]
    for (;;) {
      const read = readSync(files[0], a, 0, CHUNK, null)
      readSync(files[1], b, 0, read === 0 ? 1 : read, null)
      if (read === 0) return true
      if (!a.subarray(0, read).equals(b.subarray(0, read))) return false
    }
  } finally {
    for (const file of files) closeSync(file)
  }
}
