// Small verbs over the file system that throw our errors.

import {
  appendFileSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'

/** Owner only: records and logs hold prompts and whatever an agent printed. */
export const DIR_MODE = 0o700
export const FILE_MODE = 0o600

/** null where there is no such file. */
export const readTextIfThere = (path: string): string | null => ifThere(() => readFileSync(path, 'utf8'))
export const readFileIfThere = (path: string): Buffer | null => ifThere(() => readFileSync(path))

function ifThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return null
    throw error
  }
}

/**
 * Reads from `place` to the end of a growing file; from 0 if it has become shorter than `place`; nothing where there is
 * no file.
 */
export function readBytesFrom(path: string, place: number): { begin: number; bytes: Buffer } {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return { begin: 0, bytes: Buffer.alloc(0) }
    throw error
  }
  try {
    const { size } = fstatSync(file)
    const begin = place > size ? 0 : place
    const bytes = Buffer.alloc(size - begin)
    return { begin, bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, begin)) }
  } finally {
    closeSync(file)
  }
}

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

/** Follows links: one that leads nowhere counts as not there. */
export const pathExists = (path: string): boolean => existsSync(path)

/** Writes a temporary file, fsyncs it, and renames it. */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await loadWriter()
  dropLink(path)
  await speakOurErrors(path, () => writeFileAtomic(path, text, { mode: FILE_MODE }))
}

/** Not atomic: for a file that git reads the next moment, and that nobody reads after a crash. */
export function writeDraft(path: string, text: string | Uint8Array): void {
  try {
    writeFileSync(path, text, { mode: FILE_MODE })
  } catch (error) {
    throw toOurError(path, error)
  }
}

/**
 * Loading it takes a while, so it is loaded late. Someone who has to wait anyway may call this before the first write.
 */
export const loadWriter = () => import('write-file-atomic')

/**
 * If a link lies in the place of a file of ours, removes it. An agent may have put it there, and we must not write
 * what it leads to.
 */
function dropLink(path: string): void {
  if (lstatIfThere(path)?.isSymbolicLink() === true) unlinkSync(path)
}

/** Whether a directory itself is there, and not a link to one. */
export const isDirectoryItself = (path: string): boolean => lstatIfThere(path)?.isDirectory() === true

/** Entries of the directory; none where it cannot be read. */
export function listDirents(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch {
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
  dropLink(path)
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, FILE_MODE)
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    if (size > 0) readSync(file, last, 0, 1, size - 1)
    writeSync(file, size > 0 && last[0] !== 0x0a ? `\n${line}\n` : `${line}\n`)
  } finally {
    closeSync(file)
  }
}

export const appendBytes = (path: string, bytes: Uint8Array): void =>
  appendFileSync(path, bytes, { mode: FILE_MODE })

export const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Turns a full disk, a read-only directory or a foreign owner into an error that says so. */
export async function speakOurErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toOurError(path, error)
  }
}

/** `about` is the path to name where the error names none. */
export function toOurError(about: string, error: unknown): unknown {
  const path =
    error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : about
  if (isErrno(error, 'ENOSPC') || isErrno(error, 'EDQUOT')) {
    return new AgencyError('E_DISK_FULL', `could not write ${path}: the disk is full`, { cause: error })
  }
  if (isErrno(error, 'EACCES') || isErrno(error, 'EROFS') || isErrno(error, 'EPERM')) {
    return new AgencyError('E_DATA_UNWRITABLE', `could not write ${path}: no permission`, { cause: error })
  }
  return error
}

/** Follows links; null if the path leads nowhere. */
export const realPathIfThere = (path: string): string | null => (existsSync(path) ? realpathSync(path) : null)

/** The real path of the deepest part that exists, followed by the parts that do not. */
export function realPathOf(path: string): string {
  const real = realPathIfThere(path)
  if (real !== null) return real
  const parent = dirname(path)
  return parent === path ? path : join(realPathOf(parent), basename(path))
}
