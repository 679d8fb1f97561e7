// The repository's lock: a file that is made exclusively and names its holder by pid and start time. If the holder is
// gone, the lock is taken over at once. It is held for milliseconds, so waiting for it is a short poll.

import { closeSync, openSync, rmSync } from 'node:fs'
import * as z from 'zod/mini'
import { AgencyError } from '../../model/errors.ts'
import { processIdentitySchema } from '../../model/invocation.ts'
import type { Clock, Processes } from '../effects.ts'
import { dropClaim, placeClaim, readClaim } from './claim-file.ts'
import {
  FILE_MODE,
  isDirectoryItself,
  isErrno,
  listNames,
  lstatIfThere,
  makeWay,
  toOurError,
} from './files.ts'
import { oddityAt, RECORD_BOUNDS } from './regular-file.ts'

const holderSchema = z.looseObject({ ...processIdentitySchema.def.shape, token: z.string() })
type Holder = z.infer<typeof holderSchema>

export interface LockDoors {
  readonly processes: Pick<Processes, 'self' | 'isAlive'>
  readonly clock: Clock
}

/** Milliseconds, by a clock that nobody sets, to wait for the same live holder before E_LOCKED. As long as holders change, there is only a queue. */
const PATIENCE = 30_000
/** Milliseconds until a lock that could not be given back is given back. */
const GIVE_BACK_AGAIN = 500
/** Milliseconds. A takeover takes microseconds; one that is older than this was killed in the middle. */
const TAKEOVER_STALE = 2_000

let taken = 0

/** Runs `work` while holding the lock at `path`. Throws E_LOCKED, naming the holder. Not reentrant. */
export async function withLock<T>(path: string, doors: LockDoors, work: () => Promise<T>): Promise<T> {
  const token = await acquire(path, doors)
  try {
    return await work()
  } finally {
    giveBack(path, token)
  }
}

/**
 * While we live, nobody takes the lock over, and a host or dashboard may live for days. So what hinders us now must not
 * keep the lock for ever; nor is it an error of the work, which is done.
 */
function giveBack(path: string, token: string): void {
  try {
    if (readHolder(path)?.token === token) dropClaim(path)
  } catch {
    setTimeout(() => giveBack(path, token), GIVE_BACK_AGAIN).unref()
  }
}

async function acquire(path: string, { processes, clock }: LockDoors): Promise<string> {
  const token = `${processes.self.pid}-${processes.self.start_time}-${taken++}`
  let waitedFor = ''
  let deadline = clock.elapsed() + PATIENCE
  const takeOver = takeovers(path, clock)
  for (;;) {
    if (tryTake(path, { ...processes.self, token })) return token
    const holder = readHolder(path)
    if (holder !== null && holder.token !== waitedFor) {
      waitedFor = holder.token
      deadline = clock.elapsed() + PATIENCE
    }
    if (holder !== null && !processes.isAlive(holder) && takeOver(holder)) continue
    if (clock.elapsed() > deadline) throw lockedBy(path, holder)
    await clock.sleep(2 + Math.random() * 8)
  }
}

/** The file has its whole content before it gets its name, so a reader never sees half a holder. */
function tryTake(path: string, holder: Holder): boolean {
  try {
    return placeClaim({ path, draft: `${path}.${holder.token}`, text: JSON.stringify(holder) })
  } catch (error) {
    // It may be ours all the same: the draft is removed last.
    giveBack(path, holder.token)
    throw toOurError(path, error)
  }
}

/**
 * Makes a takeover file named after the dead holder: only the one process that succeeds may remove that holder's lock.
 * False where another one is at it. One that lies there for long was left by a kill; how long is measured here, because
 * file times follow a clock that can be set.
 */
function takeovers(path: string, clock: Clock): (dead: Holder) => boolean {
  let seen = ''
  let since = 0
  return (dead) => {
    const right = `${path}.takeover-${dead.token}`
    if (claimRight(right)) {
      if (readHolder(path)?.token === dead.token) dropDead(path)
      rmSync(right, { force: true })
      return true
    }
    const there = lstatIfThere(right)
    const stamp = `${right} ${there?.ino} ${there?.ctimeMs}`
    if (stamp !== seen) since = clock.elapsed()
    seen = stamp
    if (clock.elapsed() - since > TAKEOVER_STALE) rmSync(right, { force: true })
    return false
  }
}

function claimRight(right: string): boolean {
  try {
    closeSync(openSync(right, 'wx', FILE_MODE))
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw toOurError(right, error)
  }
}

/** null where the lock is free. What cannot be read, or is no file, counts as held by a dead process. */
export function readHolder(path: string): Holder | null {
  const text = readLock(path)
  if (text === null) return null
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return { pid: 0, start_time: '', token: 'unreadable' }
  }
}

/** Empty for what is no claim, or too large for one: nobody holds that. */
function readLock(path: string): string | null {
  if (isForeign(path)) return ''
  return readClaim(path) ?? (!isDirectoryItself(path) && oddityAt(path, RECORD_BOUNDS) !== null ? '' : null)
}

/** A directory that holds something, but no claim. */
const isForeign = (path: string): boolean =>
  isDirectoryItself(path) && readClaim(path) === null && listNames(path).length > 0

/** What is no lock is moved aside and not deleted. */
function dropDead(path: string): void {
  if (isForeign(path)) makeWay(path)
  else dropClaim(path)
}

function lockedBy(path: string, holder: Holder | null): AgencyError {
  const who = holder === null ? `something that is no lock lies at ${path}, and` : `process ${holder.pid}`
  return new AgencyError('E_LOCKED', `${who} has held the lock for more than ${PATIENCE / 1000} s`)
}
