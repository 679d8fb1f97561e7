// The locks that git holds on refs while it moves a branch. If that git is killed they stay, and every later git is
// refused.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ObjectId } from '../../model/ids.ts'
import { readTextIfRegular } from '../system/files.ts'
import { holdsIndexLock } from './index-lock.ts'

export interface KilledMove {
  readonly git_dir: string
  /** refs/heads/… */
  readonly ref: string
  readonly to: ObjectId
  /** The token of the index lock that was held meanwhile. */
  readonly token: string
  /** Whether somebody may be holding this lock file. */
  readonly isHeld: (lock: string) => boolean
}

/**
 * git locks a branch and the HEAD that is on it, and a killed git leaves these locks. While we hold the index lock no
 * other git moves that HEAD. The branch's lock counts as ours if it holds what we were writing, or nothing yet, and if no
 * git can be holding it: others move branches without a look at any index.
 */
export function dropStaleRefLocks(commonDir: string, { git_dir, ref, to, token, isHeld }: KilledMove): void {
  if (!holdsIndexLock(git_dir, token)) return
  const branchLock = join(commonDir, `${ref}.lock`)
  const ours = [`${to}\n`, to, ''].includes(readTextIfRegular(branchLock) ?? '-')
  if (ours && !isHeld(branchLock)) rmSync(branchLock, { force: true })
  const headLock = join(git_dir, 'HEAD.lock')
  if (!isHeld(headLock)) rmSync(headLock, { force: true })
}
