// Which records say that they are closed, remembered from one run to the next: nearly all of ten thousand do, and to look
// at a file costs a third of reading it. A record that was written since is read; a memory that cannot be read or kept
// costs time and nothing else.

import { renameSync, statSync, writeFileSync } from 'node:fs'
import { FILE_MODE, readTextIfThere } from '../doors/system/files.ts'
import type { InvocationId } from '../model/ids.ts'
import type { RepoPaths } from './paths.ts'

export interface ClosedInvocations {
  /** Whether a record is closed, without the cost of parsing it. */
  has(id: InvocationId): boolean
  /** To be called when all were asked for: what has been learnt is kept for the next run. */
  keep(): void
}

/** As we write it, at the top level and on a line of its own; what was written otherwise is parsed. */
const CLOSED_LINE = /\n {2}"landing_status": "(landed|discarded)"/

/** Fewer are read again the next time: that is cheaper than to write all of them. */
const WORTH_KEEPING = 64
/** The times of files are told in steps: one that was written a moment ago may be written again in the same step. */
const SETTLED_MS = 1000

/** When each record was written, by the file's change time: a later file has a later one. */
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
      if (!known && !CLOSED_LINE.test(readTextIfThere(meta) ?? '')) return false
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
    const stamps: unknown = JSON.parse(readTextIfThere(path) ?? '{}')
    return typeof stamps === 'object' && stamps !== null ? (stamps as Stamps) : {}
  } catch {
    return {}
  }
}

/** Whole or not at all, and without waiting for the disk. */
function keepStamps(path: string, stamps: Stamps): void {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, JSON.stringify(stamps), { mode: FILE_MODE, flag: 'wx' })
    renameSync(fresh, path)
  } catch {
    // A full or read-only disk: the records are read again the next time.
  }
}
