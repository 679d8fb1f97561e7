// An agent can take the permission to write from its directories (module caches, `chmod -R a-w`). Whoever brings its files
// to another state needs it for that time. No link is followed, and a directory gets its permissions back if it is still
// the same one and nobody else has set them meanwhile.

import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { DIR_MODE, isErrno } from './files.ts'
import { parentsOf, rawPath, statAt } from './raw-paths.ts'

interface Widened {
  readonly path: string
  readonly inode: number
  /** Before and meanwhile. */
  readonly mode: number
  readonly given: number
}

export interface Writing {
  /** Raw, from the tree's root. */
  readonly paths: readonly string[]
  /** Whether that directory keeps the permissions that `work` leaves it with. */
  readonly keeps: (directory: string) => boolean
}

/** Runs `work` while the directories above these paths can be written, the tree's root too. */
export async function withWritable<T>(
  tree: string,
  { paths, keeps }: Writing,
  work: () => Promise<T>,
): Promise<T> {
  const directories = [...new Set(['.', ...paths.flatMap(parentsOf)])].sort((a, b) => a.length - b.length)
  // In order, because what lies in a directory without permissions can only be seen once it has them.
  const widened = directories.flatMap((path) => widen(tree, path))
  try {
    return await work()
  } finally {
    for (const one of widened.reverse()) if (!keeps(one.path)) narrow(tree, one)
  }
}

function widen(tree: string, path: string): Widened[] {
  const there = statAt(tree, path)
  if (there?.isDirectory() !== true || (there.mode & DIR_MODE) === DIR_MODE) return []
  const mode = there.mode & 0o7777
  const one = { path, inode: there.ino, mode, given: mode | DIR_MODE }
  return setMode(tree, one, one.given) ? [one] : []
}

function narrow(tree: string, one: Widened): void {
  const there = statAt(tree, one.path)
  if (there?.isDirectory() === true && (there.mode & 0o7777) === one.given) setMode(tree, one, one.mode)
}

/** False where it may not be done, or where another directory lies there by now. */
function setMode(tree: string, { path, inode }: Widened, mode: number): boolean {
  try {
    const directory = openDirectory(rawPath(tree, path))
    try {
      if (fstatSync(directory.file).ino !== inode) return false
      directory.setMode(mode)
      return true
    } finally {
      closeSync(directory.file)
    }
  } catch (error) {
    if (EXPECTED.some((code) => isErrno(error, code))) return false
    throw error
  }
}

const EXPECTED = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ELOOP'] as const

interface OpenDirectory {
  readonly file: number
  setMode(mode: number): void
}

/** Linux: names a place without opening what lies there, so it needs no permission for it. */
const O_PATH = 0o10000000

function openDirectory(path: Buffer): OpenDirectory {
  const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW
  try {
    const file = openSync(path, constants.O_RDONLY | flags)
    return { file, setMode: (mode) => fchmodSync(file, mode) }
  } catch (error) {
    if (!isErrno(error, 'EACCES') || process.platform !== 'linux') throw error
    const file = openSync(path, O_PATH | flags)
    return { file, setMode: (mode) => chmodSync(`/proc/self/fd/${file}`, mode) }
  }
}
