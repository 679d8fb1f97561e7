// Holds the index of a work tree as git itself would while we write the tree, so that no `git add` or `git commit` of
// the person's comes in between. The lock names its maker: after a kill that proves it to be ours. The new index is
// made beside the old one, which stays untouched until the branch has moved.

import { linkSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { FILE_MODE, isErrno, lstatIfThere, readTextIfRegular, writeDraft } from '../system/files.ts'

const lockPath = (gitDir: string): string => join(gitDir, 'index.lock')

/** Where the next index is made. */
export const nextIndex = (gitDir: string): string => join(gitDir, 'agency-next-index')

/** The patch by which the next index is made from the present one. */
export const nextPatch = (gitDir: string): string => join(gitDir, 'agency-next-patch')

/**
 * Throws E_INTEGRATION_BUSY where another git holds the index. The lock appears with its whole content at once. If a
 * kill has left a draft of the lock, it is removed, even where the lock is ours already.
 */
export function takeIndexLock(gitDir: string, token: string): void {
  const draft = join(gitDir, 'agency-lock-draft')
  rmSync(draft, { force: true })
  if (holdsIndexLock(gitDir, token)) return
  writeFileSync(draft, `${token}\n`, { mode: FILE_MODE, flag: 'wx' })
  try {
    linkSync(draft, lockPath(gitDir))
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw indexBusy(gitDir)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

export const holdsIndexLock = (gitDir: string, token: string): boolean =>
  readTextIfRegular(lockPath(gitDir)) === `${token}\n`

/** `since`, in milliseconds since the epoch: an older lock does not count. */
export function isIndexLocked(gitDir: string, since = 0): boolean {
  const lock = lstatIfThere(lockPath(gitDir))
  return lock !== null && lock.mtimeMs >= since
}

export function releaseIndexLock(gitDir: string, token: string): void {
  if (holdsIndexLock(gitDir, token)) unlinkSync(lockPath(gitDir))
}

/**
 * Starts the next index as a hard link to the present one: git replaces the file when it writes, so the present one
 * stays.
 */
export function beginNextIndex(gitDir: string): string {
  const next = nextIndex(gitDir)
  dropNextIndex(gitDir)
  linkSync(join(gitDir, 'index'), next)
  return next
}

export const writeNextPatch = (gitDir: string, patch: string): void => writeDraft(nextPatch(gitDir), patch)

export function placeNextIndex(gitDir: string): void {
  renameSync(nextIndex(gitDir), join(gitDir, 'index'))
  rmSync(nextPatch(gitDir), { force: true })
}

export function dropNextIndex(gitDir: string): void {
  rmSync(nextIndex(gitDir), { force: true })
  rmSync(`${nextIndex(gitDir)}.lock`, { force: true })
  rmSync(nextPatch(gitDir), { force: true })
}

export const indexBusy = (gitDir: string): AgencyError =>
  new AgencyError(
    'E_INTEGRATION_BUSY',
    `another git command holds the worktree's index, or was killed there: ${lockPath(gitDir)}`,
    { details: { path: lockPath(gitDir) } },
  )
