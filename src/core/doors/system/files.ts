// Small verbs over the file system that throw our errors.

import {
  closeSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { isMachineFailure, ofMachine } from '../../model/system-failure.ts'
import {
  type FileBounds,
  LOG_BOUNDS,
  NOTE_BOUNDS,
  openAnew,
  openToAppend,
  readRange,
  readRegularFile,
  withRegularFile,
} from './regular-file.ts'

/** Owner only: records and logs hold prompts and whatever an agent printed. */
export const DIR_MODE = 0o700
export const FILE_MODE = 0o600

/** null where there is no such file. Throws E_FILE_UNREADABLE where something else lies there. */
export const readTextIfThere = (path: string, bounds: FileBounds = NOTE_BOUNDS): string | null =>
  readRegularFile(path, bounds)?.toString('utf8') ?? null

/** null where there is no such file, and where something else lies there: for a file that others may do without. */
export const readTextIfRegular = (path: string, bounds: FileBounds = NOTE_BOUNDS): string | null =>
  readIfRegular(path, bounds)?.toString('utf8') ?? null

/** The same in bytes. */
export function readIfRegular(path: string, bounds: FileBounds): Buffer | null {
  try {
    return readRegularFile(path, bounds)
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_FILE_UNREADABLE') return null
    throw error
  }
}

/**
 * Reads from `place` to the end of a growing log; from 0 if it has become shorter than `place`. Of more than `most`
 * bytes only the last are read. Nothing where there is no file. Throws E_FILE_UNREADABLE.
 */
export const readBytesFrom = (path: string, place: number, most: number): { begin: number; bytes: Buffer } =>
  withRegularFile(path, LOG_BOUNDS, ({ fd, stats: { size } }) => {
    const begin = Math.max(place > size ? 0 : place, size - most)
    return { begin, bytes: readRange(fd, begin, size) }
  }) ?? { begin: 0, bytes: Buffer.alloc(0) }

/**
 * What lies at the path itself, without following a link; null where nothing does, or where the path cannot lead
 * anywhere (a loop of links).
 */
export function lstatIfThere(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    if (NOWHERE.some((code) => isErrno(error, code))) return null
    throw error
  }
}

/** Bytes of a path that no call of the system takes any more. What lies at such a path cannot be looked at by it. */
export const LONGEST_PATH = process.platform === 'darwin' ? 1024 : 4096

const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'] as const

/** Follows links: one that leads nowhere counts as not there. Throws where the machine fails: then it may be there. */
export function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (isMachineFailure(error)) throw error
    return false
  }
}

/**
 * Writes a temporary file, fsyncs it, and renames it. The text is written by us, because a system that has room for a part
 * of it writes that part and calls it no error, and so does write-file-atomic.
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await loadWriter()
  makeWay(path)
  const tmpfileCreated = (draft: string): void => writeDraft(draft, text)
  await speakOurErrors(path, () => writeFileAtomic(path, '', { mode: FILE_MODE, tmpfileCreated }))
}

/**
 * Not atomic: for a file that git reads the next moment, and that nobody reads after a crash. Neither follows a link nor
 * waits for a pipe that an agent has put there.
 */
export function writeDraft(path: string, text: string | Uint8Array): void {
  try {
    const file = openAnew(path, FILE_MODE)
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw toOurError(path, error)
  }
}

/**
 * Loading it takes a while, so it is loaded late. Someone who has to wait anyway may call this before the first write.
 */
export const loadWriter = () => import('write-file-atomic')

/**
 * Removes a link, a pipe or a socket that an agent has put in the place of a file of ours. A directory is renamed, since
 * there may be something in it. A device stays: it is not an agent that makes one.
 */
export function makeWay(path: string): void {
  const there = lstatIfThere(path)
  if (there?.isDirectory() === true) renameSync(path, `${path}-replaced-${Date.now()}`)
  else if (there?.isSymbolicLink() === true || there?.isFIFO() === true || there?.isSocket() === true)
    unlinkSync(path)
}

/** Whether a directory itself is there, and not a link to one. */
export const isDirectoryItself = (path: string): boolean => lstatIfThere(path)?.isDirectory() === true

/** Entries of the directory; none where it cannot be read. Throws where the machine fails: then there may be some. */
export function listDirents(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (isMachineFailure(error)) throw error
    return []
  }
}

/** Names of the directory's entries, sorted; none where the directory does not exist. */
export function listNames(dir: string): string[] {
  try {
    return readdirSync(dir).sort()
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return []
    throw error
  }
}

/** Throws EEXIST where it exists: the exclusive mkdir decides who owns an id. */
export function makeDirExclusive(path: string): void {
  mkdirSync(path, { mode: DIR_MODE })
}

export async function makeDir(path: string): Promise<void> {
  await speakOurErrors(path, async () => mkdirSync(path, { recursive: true, mode: DIR_MODE }))
}

/** For the person to keep, so with the mode that their own directories get. */
export async function makeDirForPerson(path: string): Promise<void> {
  await speakOurErrors(path, async () => mkdirSync(path, { recursive: true }))
}

/** Deletes a file, a link but not its target, or a directory with all that is in it; does nothing if nothing is there. */
export const deletePath = (path: string | Buffer): void => rmSync(path, { recursive: true, force: true })

/** Also deletes what has a name that is not text. */
export function emptyDirectory(dir: string): void {
  for (const name of readdirSync(dir, { encoding: 'buffer' }))
    deletePath(Buffer.concat([Buffer.from(`${dir}/`), name]))
}

/** Appends whole lines in one write. If a kill or a full disk has left a torn last line, that line is ended first. */
export function appendLine(path: string, line: string): void {
  makeWay(path)
  const { fd, stats } = openToAppend(path, { mode: FILE_MODE, read: true })
  try {
    const torn = stats.size > 0 && readRange(fd, stats.size - 1, stats.size)[0] !== 0x0a
    writeSync(fd, torn ? `\n${line}\n` : `${line}\n`)
  } finally {
    closeSync(fd)
  }
}

export const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Turns a full disk, a read-only directory, a foreign owner, a limit into an error that says so. */
export async function speakOurErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toOurError(path, error)
  }
}

/** `about` is the path to name where the error names none. */
export const toOurError = (about: string, error: unknown): unknown => ofMachine(error, about)

/** Follows links; null if the path leads nowhere. */
/** null also where it leads to a name that is not text. */
export function realPathIfThere(path: string): string | null {
  if (!existsSync(path)) return null
  try {
    return realpathSync(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

/** The real path of the deepest part that exists, followed by the parts that do not. */
export function realPathOf(path: string): string {
  const real = realPathIfThere(path)
  if (real !== null) return real
  const parent = dirname(path)
  return parent === path ? path : join(realPathOf(parent), basename(path))
}
