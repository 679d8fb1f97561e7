// The one way to read a file in whose place an agent may have put something else: a pipe, in which open(2) waits for
// ever, a socket, a device, a directory, a link, a terabyte of nothing. It is opened without waiting. Its kind and its
// size are those of what was opened, so nobody can exchange it in between.

import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readSync, type Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { AgencyError } from '../../model/errors.ts'
import { isMachineFailure } from '../../model/system-failure.ts'

export interface FileBounds {
  /** Bytes. A larger file is not read. */
  readonly most: number
  /** A link in its place. What one leads to is checked in the same way. */
  readonly links: 'followed' | 'refused'
}

const MIB = 1 << 20

/** For our own records. None of them is a link. */
export const RECORD_BOUNDS: FileBounds = { most: 16 * MIB, links: 'refused' }
/** For small files of git's, in which somebody may have put a link of their own. */
export const NOTE_BOUNDS: FileBounds = { most: 16 * MIB, links: 'followed' }
/** For a git index: two million files. */
export const INDEX_BOUNDS: FileBounds = { most: 256 * MIB, links: 'followed' }
/** For logs, which may be of any size: whoever reads one reads a part of it. */
export const LOG_BOUNDS: FileBounds = { most: Number.POSITIVE_INFINITY, links: 'refused' }

/** Bytes, where a name need not be text. */
type Path = string | Buffer

export interface OpenedFile {
  readonly fd: number
  readonly stats: Stats
}

/** null where there is no such file. Throws E_FILE_UNREADABLE. */
export function readRegularFile(path: Path, bounds: FileBounds): Buffer | null {
  return withRegularFile(path, bounds, ({ fd, stats }) => readRange(fd, 0, stats.size))
}

/** null where there is no such file; it is not called then. Throws E_FILE_UNREADABLE. */
export function withRegularFile<T>(path: Path, bounds: FileBounds, use: (file: OpenedFile) => T): T | null {
  const fd = openIfThere(path, bounds)
  if (fd === null) return null
  try {
    const stats = fstatSync(fd)
    refuseOther(path, stats, bounds)
    return use({ fd, stats })
  } finally {
    closeSync(fd)
  }
}

/** The same for whoever reads on and on. The caller closes it. */
export async function openRegularFile(path: Path, bounds: FileBounds): Promise<FileHandle | null> {
  const handle = await promises.open(path, readingFlags(bounds)).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw toUnreadable(path, error)
  })
  if (handle === null) return null
  try {
    refuseOther(path, await handle.stat(), bounds)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Fewer bytes than asked for where the file ends. */
export function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let done = 0
  while (done < bytes.length) {
    const read = readSync(fd, bytes, done, bytes.length - done, from + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

/**
 * A file to write to the end of, made where there is none. Not through a link. `read` opens it for reading too. The
 * caller closes it. Throws E_FILE_UNREADABLE.
 */
export function openToAppend(path: Path, { mode, read }: { mode: number; read: boolean }): OpenedFile {
  const flags = openFlags(read ? 'O_RDWR' : 'O_WRONLY', 'O_APPEND', 'O_CREAT')
  const fd = openSaying(path, flags, mode)
  try {
    const stats = fstatSync(fd)
    refuseOther(path, stats, LOG_BOUNDS)
    return { fd, stats }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** A file to write from its beginning, made where there is none. The same, but Node's own error where nothing is odd. */
export function openAnew(path: Path, mode: number): number {
  try {
    return openSync(path, openFlags('O_WRONLY', 'O_CREAT', 'O_TRUNC'), mode)
  } catch (error) {
    const why = oddityAt(path, LOG_BOUNDS)
    throw why === null ? error : unreadableFile(path, why, error)
  }
}

/**
 * What is wrong with what lies at the path, in words like 'it is a named pipe'; null where it is a file within the
 * bounds, or nothing. Opens nothing, so a moment later it may be something else.
 */
export function oddityAt(path: Path, bounds: FileBounds): string | null {
  const there = lookAt(path)
  if (there === null) return null
  if (!there.isSymbolicLink() || bounds.links === 'refused') return oddityOf(there, bounds)
  try {
    return withRegularFile(path, bounds, () => null)
  } catch (error) {
    if (error instanceof AgencyError) return String(error.details['why'])
    throw error
  }
}

/** null also where the way to it leads nowhere. */
function lookAt(path: Path): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function oddityOf(there: Stats, { most }: FileBounds): string | null {
  if (!there.isFile()) return `it is ${kindOf(there)}`
  return there.size > most ? `it has ${sizeOf(there.size)}; no more than ${sizeOf(most)} are read` : null
}

function kindOf(there: Stats): string {
  if (there.isFIFO()) return 'a named pipe'
  if (there.isSocket()) return 'a socket'
  if (there.isDirectory()) return 'a directory'
  return there.isSymbolicLink() ? 'a link' : 'a device'
}

const sizeOf = (bytes: number): string =>
  bytes < 10 * MIB ? `${bytes} bytes` : `${Math.round(bytes / MIB)} MB`

const isMissing = (error: unknown): boolean => hasErrno(error, ['ENOENT', 'ENOTDIR'])

const hasErrno = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

type Flag = 'O_RDONLY' | 'O_WRONLY' | 'O_RDWR' | 'O_APPEND' | 'O_CREAT' | 'O_TRUNC'

/** With these, nothing waits for a pipe, no link is followed, and no terminal becomes ours. */
export const openFlags = (...flags: readonly Flag[]): number =>
  flags.reduce(
    (all, flag) => all | constants[flag],
    constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY,
  )

const REFUSING = openFlags('O_RDONLY')
const FOLLOWING = REFUSING & ~constants.O_NOFOLLOW

const readingFlags = ({ links }: FileBounds): number => (links === 'refused' ? REFUSING : FOLLOWING)

function openIfThere(path: Path, bounds: FileBounds): number | null {
  try {
    return openSync(path, readingFlags(bounds))
  } catch (error) {
    if (isMissing(error)) return null
    throw toUnreadable(path, error)
  }
}

function openSaying(path: Path, flags: number, mode: number): number {
  try {
    return openSync(path, flags, mode)
  } catch (error) {
    throw toUnreadable(path, error)
  }
}

function refuseOther(path: Path, there: Stats, bounds: FileBounds): void {
  const why = oddityOf(there, bounds)
  if (why !== null) throw unreadableFile(path, why)
}

/** What cannot even be opened: a link, a socket, a file without permission. */
function toUnreadable(path: Path, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const there = lookAt(path)
  const odd = there === null ? null : oddityOf(there, LOG_BOUNDS)
  // The machine is at its limits, or its disk failed: nothing is wrong with the file.
  if (odd === null && isMachineFailure(error)) return error
  return unreadableFile(path, odd ?? `it cannot be opened: ${String(error.code)}`, error)
}

const unreadableFile = (path: Path, why: string, cause?: unknown): AgencyError =>
  new AgencyError('E_FILE_UNREADABLE', `${path}: ${why}`, { details: { path: String(path), why }, cause })
