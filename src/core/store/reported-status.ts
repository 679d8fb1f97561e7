// What runners report of themselves while they run: by their terminal, which their host notes beside the invocation's
// record, or by a file that they write into their sandbox. What was said last holds. Source: slice 8, Runner Status.

import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { MARKER_DIR } from '../model/markers.ts'
import { type ReportedStatus, statusRecordSchema } from '../model/reported-status.ts'
import type { RepoPaths } from './paths.ts'
import { writeRecord } from './record-file.ts'

export const STATUS_FILE = 'runner_status.json'

/** The directory in a sandbox's tree where its runner may write the file itself. */
export const ownStatusDir = (tree: string): string => join(tree, MARKER_DIR, 'state')

interface Told {
  readonly status: ReportedStatus | null
  readonly at: number
}

/** null where it says nothing, or nothing that can be understood. */
export function readReportedStatus(paths: RepoPaths, id: string): ReportedStatus | null {
  const { status, tree } = paths.invocation(id)
  const told = [status, join(ownStatusDir(tree), STATUS_FILE)].flatMap((path) => readTold(path) ?? [])
  return told.sort((a, b) => b.at - a.at)[0]?.status ?? null
}

export const writeReportedStatus = (
  paths: RepoPaths,
  id: string,
  status: ReportedStatus | null,
): Promise<void> => writeRecord(paths.invocation(id).status, statusRecordSchema, { status })

/** In a sandbox the agent may have put anything there: a link, a pipe, a terabyte. */
function readTold(path: string): Told | null {
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
