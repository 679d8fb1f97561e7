// Small verbs over the file system that say what they mean and speak our errors.

import {
  appendFileSync,
  closeSync,
  constants,
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

/** The rest of a file that grows, from 0 where it has become shorter than `place`; nothing where there is none. */
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

/** What lies at a path itself, links not followed; null where nothing does, or where the way there is none (a loop of links). */
export function lstatIfThere(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    if (NOWHERE.some((code) => isErrno(error, code))) return null
    throw error
  }
}

const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'] as const

/** Links are followed: one that leads nowhere is not there. */
export const pathExists = (path: string): boolean => existsSync(path)

/** Temp file, fsync, rename. */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await loadWriter()
  dropLink(path)
  await speakOurErrors(path, () => writeFileAtomic(path, text, { mode: FILE_MODE }))
}

/** Not atomic: for what a program of ours is given to read the next moment, and nobody reads after a crash. */
export function writeDraft(path: string, text: string | Uint8Array): void {
  try {
    writeFileSync(path, text, { mode: FILE_MODE })
  } catch (error) {
    throw toOurError(path, error)
  }
}

/** It takes a while, which what only reads need not wait for. Whoever is waiting anyway may do it before the first write. */
export const loadWriter = () => import('write-file-atomic')

/** An agent may have put a link in the place of a file of ours: what it leads to is not ours to write. */
function dropLink(path: string): void {
  if (lstatIfThere(path)?.isSymbolicLink() === true) unlinkSync(path)
}

/** Names of the directory's entries in order; none where it does not exist. */
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

/** For the person to keep: it gets the mode that theirs get. */
export async function makeDirForPerson(path: string): Promise<void> {
  await speakOurErrors(path, async () => mkdirSync(path, { recursive: true }))
}

/** A file, or a directory with all that is in it. A link goes, and what it leads to stays; nothing there is nothing to do. */
export const deletePath = (path: string | Buffer): void => rmSync(path, { recursive: true, force: true })

/** Whatever the names in it are: they need not be text. */
export function emptyDirectory(dir: string): void {
  for (const name of readdirSync(dir, { encoding: 'buffer' }))
    deletePath(Buffer.concat([Buffer.from(`${dir}/`), name]))
}

/** Appends whole lines in one write. A torn last line, left by a kill or a full disk, is closed first. */
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

/** `path` is named where the error itself names none. */
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

/** null where the path leads nowhere. */
export const realPathIfThere = (path: string): string | null => (existsSync(path) ? realpathSync(path) : null)

/** The real path of the deepest part that exists, with the rest put behind it. */
export function realPathOf(path: string): string {
  const real = realPathIfThere(path)
  if (real !== null) return real
  const parent = dirname(path)
  return parent === path ? path : join(realPathOf(parent), basename(path))
}
