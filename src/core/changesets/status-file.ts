// The file in a sandbox by which its runner may report its own state (`working`, `needs_input` …).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDirectoryItself, listNames } from '../doors/system/files.ts'
import { type FileBounds, readRange, withRegularFile } from '../doors/system/regular-file.ts'
import { MARKER_DIR, STATE_DIR } from '../model/markers.ts'
import { type ReportedStatus, statusRecordSchema } from '../model/reported-status.ts'
import { STATUS_FILE } from '../store/noted-status.ts'
import type { RepoPaths } from '../store/paths.ts'
import type { StatusDirs } from '../store/record-watcher.ts'
import { knownPath } from './location.ts'

/** The directories to watch for it. The one that it lies in may be made later, by the agent itself. */
export function statusDirs(paths: RepoPaths, id: string): StatusDirs {
  const tree = knownPath(paths.invocation(id).tree)
  return { marker: join(tree, MARKER_DIR), state: join(tree, STATE_DIR) }
}

/** Whether all that lies in that directory is such a file, which says nothing but the state of a run. */
export function holdsOnlyStatus(stateDir: string): boolean {
  const report = (name: string): boolean => name === STATUS_FILE && readTold(join(stateDir, name)) !== null
  return isDirectoryItself(stateDir) && listNames(stateDir).every(report)
}

interface ToldStatus {
  readonly status: ReportedStatus | null
  readonly at: number
}

/**
 * What the runner reported last, in the file or by its terminal (which its host notes beside the record). null where it
 * reports nothing, or nothing that can be understood.
 */
export function readReportedStatus(paths: RepoPaths, id: string): ReportedStatus | null {
  const files = [paths.invocation(id).status, join(statusDirs(paths, id).state, STATUS_FILE)]
  return files.flatMap((path) => readTold(path) ?? []).sort((a, b) => b.at - a.at)[0]?.status ?? null
}

const STATUS_BOUNDS: FileBounds = { most: 16_384, links: 'refused' }

/** The agent may have put anything there: a link, a pipe, a terabyte. */
function readTold(path: string): ToldStatus | null {
  // Most runners report nothing, and catching an error costs ten times as much as asking first.
  if (!existsSync(path)) return null
  try {
    return withRegularFile(path, STATUS_BOUNDS, ({ fd, stats }) => {
      const text = readRange(fd, 0, stats.size).toString('utf8')
      return { status: statusRecordSchema.parse(JSON.parse(text)).status, at: stats.mtimeMs }
    })
  } catch {
    return null
  }
}
