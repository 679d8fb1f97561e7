// Reads a changed file as git would store it without any conversion: its bytes, its mode, and its object's name.

import { createHash } from 'node:crypto'
import { readlinkSync, type Stats } from 'node:fs'
import { type FileBounds, readRange, withRegularFile } from '../../../doors/system/regular-file.ts'
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

/** More than a checkpoint by paths ever takes, in bytes. */
const CONTENT_BOUNDS: FileBounds = { most: 64 << 20, links: 'refused' }

/** Throws where it has gone, cannot be read, or is something else by now. */
export function readContent({ tree, path, there, objectSize }: FileToRead): ReadFile {
  const full = `${tree}/${path}`
  const found = there.isSymbolicLink() ? readLink(full) : readRegular(full)
  return { path, ...found, object: objectName(found.content, objectSize) }
}

const readLink = (full: string) =>
  ({ mode: '120000', content: readlinkSync(full, { encoding: 'buffer' }) }) as const

function readRegular(full: string): Pick<ImportedFile, 'mode' | 'content'> {
  const read = withRegularFile(full, CONTENT_BOUNDS, ({ fd, stats }) => ({
    mode: (stats.mode & 0o100) === 0 ? ('100644' as const) : ('100755' as const),
    content: readRange(fd, 0, stats.size),
  }))
  if (read === null) throw new Error(`${full} is gone`)
  return read
}

const objectName = (content: Buffer, objectSize: number): string =>
  createHash(objectSize === 32 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')
