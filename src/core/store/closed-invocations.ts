// Remembers, from one run to the next, which records say that they are closed. Of ten thousand nearly all do, and
// looking at a file costs a third of reading it. A record that was written since is read again. If the memory cannot be
// read or kept, that costs time and nothing else.

import { renameSync, statSync, writeFileSync } from 'node:fs'
import { FILE_MODE, readTextIfRegular } from '../doors/system/files.ts'
import { RECORD_BOUNDS } from '../doors/system/regular-file.ts'
import type { InvocationId } from '../model/ids.ts'
import type { RepoPaths } from './paths.ts'

export interface ClosedInvocations {
  /** Whether a record is closed, without the cost of parsing it. */
  has(id: InvocationId): boolean
  /** To be called after all were asked for. Keeps what was learnt for the next run. */
  keep(): void
}

/** How we write it: at the top level, on a line of its own. A record in another form is parsed. */
const CLOSED_LINE = /\n {2}"landing_status": "(landed|discarded)"/

/** If fewer were learnt, reading them again costs less than writing the whole memory. */
const WORTH_KEEPING = 64
/** Milliseconds. File times come in steps: a file that was written just now may be written again in the same step. */
const SETTLED_MS = 1000

/** The change time of each record's file. It grows with every write. */
type Stamps = Record<string, number>

export function recallClosed(paths: RepoPaths, settled_ms = SETTLED_MS): ClosedInvocations {
  let kept: Stamps | null = null
  const stamps: Stamps = {}
  let learnt = 0
  return {
    has: (id) => {
      const meta = `${paths.invocationsDir}/${id}/meta.json`
      const there = statSync(meta, { throwIfNoEntry: false })
      if (there === undefined) return false
      kept ??= readStamps(paths.closed)
      const known = stamps[id] === there.ctimeMs || kept[id] === there.ctimeMs
      if (!known && !CLOSED_LINE.test(readTextIfRegular(meta, RECORD_BOUNDS) ?? '')) return false
      if (!known) learnt += 1
      if (there.ctimeMs < Date.now() - settled_ms) stamps[id] = there.ctimeMs
      return true
    },
    keep: () => {
      if (learnt < WORTH_KEEPING) return
      learnt = 0
      keepStamps(paths.closed, stamps)
    },
  }
}

function readStamps(path: string): Stamps {
  try {
    const stamps: unknown = JSON.parse(readTextIfRegular(path, RECORD_BOUNDS) ?? '{}')
    return typeof stamps === 'object' && stamps !== null ? (stamps as Stamps) : {}
  } catch {
    return {}
  }
}

/** Written whole or not at all, without waiting for the disk. */
function keepStamps(path: string, stamps: Stamps): void {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, JSON.stringify(stamps), { mode: FILE_MODE, flag: 'wx' })
    renameSync(fresh, path)
  } catch {
    // A full or read-only disk. The records are simply read again the next time.
  }
}
