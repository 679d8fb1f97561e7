// What stood in the way when a work tree was being written: which file, why, and what the person can look at. git says it
// on stderr, for files that it could not remove even where it says that all went well.

import { AgencyError } from '../../model/errors.ts'
import { isErrno } from '../system/files.ts'

interface BlockedPath {
  /** As git or the system names it: from the tree's root, or absolute. */
  readonly path: string
  /** The system's words: `Permission denied`. */
  readonly why: string
}

const SAID = [
  /^(?:error|warning): unable to unlink (?:old )?'(.+)': (.+)$/m,
  /^error: unable to create (?:file|symlink) '?(.+?)'?: (.+)$/m,
  /^(?:error|fatal): cannot create directory at '?(.+?)'?: (.+)$/m,
  /^error: unable to write file '?(.+?)'? mode \d+: (.+)$/m,
  /^(?:error|warning): failed to (?:remove|unlink) '?(.+?)'?: (.+)$/m,
  /^error: unable to stat just-written file '?(.+?)'?: (.+)$/m,
]

/** null where git names no file. */
export function readBlocked(stderr: string): BlockedPath | null {
  for (const line of SAID) {
    const [, path, why] = line.exec(stderr) ?? []
    if (path !== undefined && why !== undefined) return { path, why }
  }
  return null
}

/** E_TREE_UNWRITABLE naming the file where that is what the error says; otherwise the error as it is. */
export function explainBlocked(tree: string, error: unknown): unknown {
  const blocked = blockedBy(error)
  return blocked === null ? error : treeUnwritable(tree, blocked, error)
}

const ERRNOS = {
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EBUSY: 'Device or resource busy',
} as const

function blockedBy(error: unknown): BlockedPath | null {
  if (error instanceof AgencyError) {
    if (error.code === 'E_DISK_FULL' || error.code === 'E_TREE_UNWRITABLE') return null
    return readBlocked(String(error.details['stderr'] ?? ''))
  }
  const path = error instanceof Error && 'path' in error ? String(error.path) : null
  const [, why] = Object.entries(ERRNOS).find(([code]) => isErrno(error, code)) ?? []
  if (isErrno(error, 'EROFS')) return { path: path ?? '.', why: 'Read-only file system' }
  return path === null || why === undefined ? null : { path, why }
}

export function treeUnwritable(tree: string, { path, why }: BlockedPath, cause?: unknown): AgencyError {
  const full = path.startsWith('/') ? path : `${tree}/${path}`
  return new AgencyError('E_TREE_UNWRITABLE', `${path} cannot be written, replaced or removed: ${why}`, {
    hint: `${lookAt(full, why)}; then try again`,
    details: { path: full, reason: why, tree_path: tree },
    cause,
  })
}

function lookAt(path: string, why: string): string {
  const at = `'${path.replaceAll("'", "'\\''")}'`
  if (/not permitted/.test(why))
    return `lsattr -d ${at} shows whether it may be changed (chattr -i), ls -ld whose it is`
  if (/busy/.test(why)) return `something is mounted there or uses it: findmnt -T ${at}`
  if (/Read-only/.test(why)) return `its file system is mounted read-only: findmnt -T ${at}`
  return `look at its mode and at that of its directory: ls -ld ${at}`
}
