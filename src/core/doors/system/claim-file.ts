// A file that appears whole or not at all, and only where nothing lies yet: who makes it has the claim. By a hard link;
// on a file system without them (exFAT, SMB, 9p) by a directory with the text in it, which a rename puts into an empty
// place only. For git, a directory at `index.lock` is a lock as good as a file. No `flock`: file servers forget it.

import { linkSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIR_MODE, FILE_MODE, isDirectoryItself, isErrno, readTextIfRegular } from './files.ts'

const INSIDE = 'claim'

/** What a file system without hard links says, each in its own way. */
const NO_LINKS = ['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL', 'EACCES'] as const

export interface Claim {
  readonly path: string
  /** Where it is made, beside `path`. Whatever a kill has left there is deleted. */
  readonly draft: string
  readonly text: string
}

/** False where something else lies at the path. Throws Node's own errors. */
export function placeClaim(claim: Claim): boolean {
  const { path, draft, text } = claim
  rmSync(draft, { recursive: true, force: true })
  try {
    writeFileSync(draft, text, { mode: FILE_MODE, flag: 'wx' })
    linkSync(draft, path)
    return true
  } catch (error) {
    // A file server may have made the link and lost its answer.
    if (isErrno(error, 'EEXIST')) return claimAt(path) === text
    if (!NO_LINKS.some((code) => isErrno(error, code))) throw error
    return placeDirectory(claim)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const TAKEN = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'] as const

function placeDirectory({ path, draft, text }: Claim): boolean {
  rmSync(draft, { force: true })
  mkdirSync(draft, { mode: DIR_MODE })
  writeFileSync(join(draft, INSIDE), text, { mode: FILE_MODE })
  try {
    renameSync(draft, path)
    return true
  } catch (error) {
    if (!TAKEN.some((code) => isErrno(error, code))) throw error
    claimAt(path)
    return false
  }
}

/** An empty directory, which a kill may have left, is no claim; it is removed, for what may be put in its place. */
function claimAt(path: string): string | null {
  const text = readClaim(path)
  if (text === null) dropEmpty(path)
  return text
}

/** null where there is no claim: nothing, or what is no file. */
export function readClaim(path: string): string | null {
  if (isDirectoryItself(path)) return readTextIfRegular(join(path, INSIDE))
  return readTextIfRegular(path)
}

/** Whoever does that has made sure that the claim is theirs, or that its maker is dead. */
export function dropClaim(path: string): void {
  const isDirectory = isDirectoryItself(path)
  rmSync(isDirectory ? join(path, INSIDE) : path, { force: true })
  if (isDirectory) dropEmpty(path)
}

/** If somebody else has taken the place meanwhile, it stays. */
function dropEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT') && !TAKEN.some((code) => isErrno(error, code))) throw error
  }
}

/** Gives the file a second name, where the file system can. */
export function linkOrNot(from: string, to: string): 'linked' | 'no links' | 'not there' {
  try {
    linkSync(from, to)
    return 'linked'
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return 'not there'
    if (NO_LINKS.some((code) => isErrno(error, code))) return 'no links'
    throw error
  }
}
