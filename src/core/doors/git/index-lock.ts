// Holds the index of a work tree as git itself would while we write the tree, so that no `git add` or `git commit` of
// the person's comes in between. The lock names its maker: after a kill that proves it to be ours. The new index is
// made beside the old one, which stays untouched until the branch has moved.

import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { dropClaim, linkOrNot, placeClaim, readClaim } from '../system/claim-file.ts'
import { lstatIfThere, writeDraft } from '../system/files.ts'
import { copyIndex } from './scratch-index.ts'

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
  rmSync(draft, { recursive: true, force: true })
  if (holdsIndexLock(gitDir, token)) return
  if (!placeClaim({ path: lockPath(gitDir), draft, text: `${token}\n` })) throw indexBusy(gitDir)
}

export const holdsIndexLock = (gitDir: string, token: string): boolean =>
  readClaim(lockPath(gitDir)) === `${token}\n`

/**
 * `since`, in milliseconds since the epoch: an older lock does not count. If the clock was set back since, no lock is
 * known to be older.
 */
export function isIndexLocked(gitDir: string, since = 0): boolean {
  const lock = lstatIfThere(lockPath(gitDir))
  return lock !== null && (lock.mtimeMs >= since || Date.now() < since)
}

export function releaseIndexLock(gitDir: string, token: string): void {
  if (holdsIndexLock(gitDir, token)) dropClaim(lockPath(gitDir))
}

/**
 * Starts the next index as a hard link to the present one, or where there are none as a copy: git replaces the file when
 * it writes, so the present one stays.
 */
export function beginNextIndex(gitDir: string): string {
  const next = nextIndex(gitDir)
  dropNextIndex(gitDir)
  const index = join(gitDir, 'index')
  if (linkOrNot(index, next) !== 'linked') copyIndex(index, next)
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
