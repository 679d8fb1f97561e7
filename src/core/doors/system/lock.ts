// The repository's lock: a file that is made exclusively and names its holder by pid and start time. If the holder is
// gone, the lock is taken over at once. It is held for milliseconds, so waiting for it is a short poll.

import { closeSync, linkSync, openSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { AgencyError } from '../../model/errors.ts'
import { processIdentitySchema } from '../../model/invocation.ts'
import type { Clock, Processes } from '../effects.ts'
import {
  deletePath,
  FILE_MODE,
  isDirectoryItself,
  isErrno,
  makeWay,
  readTextIfThere,
  toOurError,
} from './files.ts'
import { oddityAt, RECORD_BOUNDS } from './regular-file.ts'

const holderSchema = z.looseObject({ ...processIdentitySchema.def.shape, token: z.string() })
type Holder = z.infer<typeof holderSchema>

export interface LockDoors {
  readonly processes: Pick<Processes, 'self' | 'isAlive'>
  readonly clock: Clock
}

/** Milliseconds to wait for the same live holder before E_LOCKED. As long as holders change, there is only a queue. */
const PATIENCE = 30_000
/** Milliseconds. A takeover takes microseconds; one that is older than this was killed in the middle. */
const TAKEOVER_STALE = 2_000

let taken = 0

/** Runs `work` while holding the lock at `path`. Throws E_LOCKED, naming the holder. Not reentrant. */
export async function withLock<T>(path: string, doors: LockDoors, work: () => Promise<T>): Promise<T> {
  const token = await acquire(path, doors)
  try {
    return await work()
  } finally {
    if (readHolder(path)?.token === token) unlinkSync(path)
  }
}

async function acquire(path: string, { processes, clock }: LockDoors): Promise<string> {
  const token = `${processes.self.pid}-${processes.self.start_time}-${taken++}`
  let waitedFor = ''
  let deadline = 0
  for (;;) {
    if (tryTake(path, { ...processes.self, token })) return token
    const holder = readHolder(path)
    if (holder !== null && holder.token !== waitedFor) {
      waitedFor = holder.token
      deadline = clock.now().getTime() + PATIENCE
    }
    if (holder !== null && !processes.isAlive(holder)) takeOver(path, holder)
    else if (holder !== null && clock.now().getTime() > deadline) throw lockedBy(holder)
    else await clock.sleep(2 + Math.random() * 8)
  }
}

/** The file has its whole content before it gets its name, so a reader never sees half a holder. */
function tryTake(path: string, holder: Holder): boolean {
  const draft = `${path}.${holder.token}`
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: FILE_MODE, flag: 'wx' })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw toOurError(path, error)
  } finally {
    deletePath(draft)
  }
}

/**
 * Makes a takeover file named after the dead holder: only the one process that succeeds may remove that holder's lock.
 */
function takeOver(path: string, dead: Holder): void {
  const right = `${path}.takeover-${dead.token}`
  try {
    closeSync(openSync(right, 'wx', FILE_MODE))
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw toOurError(path, error)
    const age = Date.now() - (statSync(right, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > TAKEOVER_STALE) rmSync(right, { force: true })
    return
  }
  if (readHolder(path)?.token === dead.token) {
    if (isDirectoryItself(path)) makeWay(path)
    else rmSync(path, { force: true })
  }
  rmSync(right, { force: true })
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

/** Empty for what is no file, or too large for a lock: nobody holds that. */
function readLock(path: string): string | null {
  try {
    return readTextIfThere(path, RECORD_BOUNDS)
  } catch (error) {
    if (oddityAt(path, RECORD_BOUNDS) === null) throw error
    return ''
  }
}

const lockedBy = ({ pid }: Holder): AgencyError =>
  new AgencyError('E_LOCKED', `process ${pid} has held the lock for more than ${PATIENCE / 1000} s`)
