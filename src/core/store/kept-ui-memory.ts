// What the dashboard remembers from one run to the next. A convenience and no record: if it cannot be read, it counts
// as empty.

import { readTextIfRegular, writeAtomic } from '../doors/system/files.ts'
import { RECORD_BOUNDS } from '../doors/system/regular-file.ts'
import type { RepoPaths } from './paths.ts'

/** What was kept; null if there is nothing, or nothing that can be read. */
export function readUiMemory({ ui }: RepoPaths): unknown {
  try {
    return JSON.parse(readTextIfRegular(ui, RECORD_BOUNDS) ?? 'null')
  } catch {
    return null
  }
}

export const writeUiMemory = ({ ui }: RepoPaths, memory: unknown): Promise<void> =>
  writeAtomic(ui, `${JSON.stringify(memory, null, 2)}\n`)
