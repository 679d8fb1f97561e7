// The repository's lock: a file made exclusively, naming its holder by pid and start time. A holder that is gone is
// taken over at once. It is held for milliseconds, so waiting is a short poll.

import { closeSync, linkSync, openSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { AgencyError } from '../../model/errors.ts'
import { processIdentitySchema } from '../../model/invocation.ts'
import type { Clock, Processes } from '../effects.ts'
import { FILE_MODE, isErrno, readTextIfThere, toOurError } from './files.ts'

const holderSchema = z.looseObject({ ...processIdentitySchema.def.shape, token: z.string() })
type Holder = z.infer<typeof holderSchema>

export interface LockDoors {
  readonly processes: Pick<Processes, 'self' | 'isAlive'>
  readonly clock: Clock
}

/** Milliseconds to wait for one live holder before E_LOCKED: while they take turns, there is only a queue. */
const PATIENCE = 30_000
/** A takeover takes microseconds; one that is older than this was itself killed. */
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

/** The content is complete before the name exists: a reader never sees a half-written holder. */
function tryTake(path: string, holder: Holder): boolean {
  const draft = `${path}.${holder.token}`
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: FILE_MODE })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw toOurError(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Only one process ever may remove a given dead holder's file: the one that makes the takeover file named after it. */
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
  if (readHolder(path)?.token === dead.token) rmSync(path, { force: true })
  rmSync(right, { force: true })
}

/** null where the lock is free. An unreadable file counts as held by nobody alive. */
export function readHolder(path: string): Holder | null {
  const text = readTextIfThere(path)
  if (text === null) return null
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return { pid: 0, start_time: '', token: 'unreadable' }
  }
}

const lockedBy = ({ pid }: Holder): AgencyError =>
  new AgencyError('E_LOCKED', `process ${pid} has held the lock for more than ${PATIENCE / 1000} s`)
