// Reads a changed file as git would store it without any conversion: its bytes, its mode, and its object's name.

import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import type { ImportedFile } from '../../../model/import-stream.ts'

export interface ReadFile extends ImportedFile {
  readonly object: string
}

export interface FileToRead {
  readonly tree: string
  readonly path: string
  readonly there: Stats
  /** Bytes of an object's name. */
  readonly objectSize: number
}

/** Throws where it has gone, cannot be read, or is something else by now. */
export function readContent({ tree, path, there, objectSize }: FileToRead): ReadFile {
  const full = `${tree}/${path}`
  const found = there.isSymbolicLink() ? readLink(full) : readRegular(full)
  return { path, ...found, object: objectName(found.content, objectSize) }
}

const readLink = (full: string) =>
  ({ mode: '120000', content: readlinkSync(full, { encoding: 'buffer' }) }) as const

function readRegular(full: string): Pick<ImportedFile, 'mode' | 'content'> {
  // A pipe may have taken the file's place; opening it must not block.
  const file = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error(`${full} is no file any more`)
    return { mode: (stat.mode & 0o100) === 0 ? '100644' : '100755', content: readFileSync(file) }
  } finally {
    closeSync(file)
  }
}

const objectName = (content: Buffer, objectSize: number): string =>
  createHash(objectSize === 32 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')
