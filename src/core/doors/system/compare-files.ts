// Files that an agent may be writing, compared and copied piece by piece: a file need not fit into memory. Nothing is
// followed, and a pipe that takes a file's place does not block.

import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { FILE_MODE } from './files.ts'

const PIECE = 1 << 18

/** Two, as two files are compared. Nothing here gives way to other work, so they can serve everybody. */
const [FIRST, SECOND] = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)]

/** Whether a CRLF is in it. False where it cannot be read. */
export function holdsCrlf(path: Buffer): boolean {
  let last = 0
  return (
    readPieces(path, (piece) => {
      if ((last === CR && piece[0] === LF) || piece.includes('\r\n')) return true
      last = piece.at(-1) ?? 0
      return false
    }) === true
  )
}

const CR = 0x0d
const LF = 0x0a

/**
 * Copies the first file to `to` unless the second one has the same bytes. Returns whether it did: false also where the
 * first cannot be read, true where the second cannot.
 */
export function copyUnlessSame(path: Buffer, other: Buffer, to: string): boolean {
  const second = openFile(other)
  if (second === null) return rawCopy(path, to)
  try {
    const differs = readPieces(path, (piece) => {
      const filled = fillFrom(second, SECOND, piece.length)
      return !SECOND.subarray(0, filled).equals(piece)
    })
    const isShorter = differs === false && fillFrom(second, SECOND, 1) > 0
    return (differs === true || isShorter) && rawCopy(path, to)
  } finally {
    closeSync(second)
  }
}

/** False where it is no regular file or cannot be read. */
export function rawCopy(path: Buffer, to: string): boolean {
  const out = openSync(to, 'wx', FILE_MODE)
  try {
    return (
      readPieces(path, (piece) => {
        writeFileSync(out, piece)
        return false
      }) === false
    )
  } finally {
    closeSync(out)
  }
}

/** Reads until `isEnough` says so, and returns whether it did. null where it cannot be read, or is no regular file. */
function readPieces(path: Buffer, isEnough: (piece: Buffer) => boolean): boolean | null {
  const file = openFile(path)
  if (file === null) return null
  try {
    for (;;) {
      const read = fillFrom(file, FIRST, PIECE)
      if (read === 0) return false
      if (isEnough(FIRST.subarray(0, read))) return true
    }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

function fillFrom(file: number, buffer: Buffer, length: number): number {
  let filled = 0
  while (filled < length) {
    const read = readSync(file, buffer, filled, length - filled, null)
    if (read === 0) break
    filled += read
  }
  return filled
}

function openFile(path: Buffer): number | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch {
    // It has gone, or cannot be read.
  }
  return null
}
