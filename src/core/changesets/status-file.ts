// The file by which a runner may report its state from within its sandbox. Source: slice 8, Runner Status.

import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { MARKER_DIR } from '../model/markers.ts'
import { type ReportedStatus, statusRecordSchema } from '../model/reported-status.ts'
import { STATUS_FILE } from '../store/noted-status.ts'
import type { RepoPaths } from '../store/paths.ts'
import type { StatusDirs } from '../store/record-watcher.ts'
import { knownPath } from './location.ts'

/** The directories whose changes tell of it: the one that it lies in may come later than the agent, by its own hand. */
export function statusDirs(paths: RepoPaths, id: string): StatusDirs {
  const marker = join(knownPath(paths.invocation(id).tree), MARKER_DIR)
  return { marker, state: join(marker, 'state') }
}

interface ToldStatus {
  readonly status: ReportedStatus | null
  readonly at: number
}

/**
 * What the runner said last, there or by its terminal, which its host notes beside the record. null where it says
 * nothing, or nothing that can be understood.
 */
export function readReportedStatus(paths: RepoPaths, id: string): ReportedStatus | null {
  const files = [paths.invocation(id).status, join(statusDirs(paths, id).state, STATUS_FILE)]
  return files.flatMap((path) => readTold(path) ?? []).sort((a, b) => b.at - a.at)[0]?.status ?? null
}

/** In a sandbox the agent may have put anything there: a link, a pipe, a terabyte. */
function readTold(path: string): ToldStatus | null {
  // Most runners report nothing, and to be thrown at costs ten times as much as to ask.
  if (!existsSync(path)) return null
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const facts = fstatSync(file)
      if (!facts.isFile()) return null
      const buffer = Buffer.alloc(16_384)
      const text = buffer.toString('utf8', 0, readSync(file, buffer))
      return { status: statusRecordSchema.parse(JSON.parse(text)).status, at: facts.mtimeMs }
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
