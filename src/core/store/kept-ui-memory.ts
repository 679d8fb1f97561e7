// What the dashboard remembers from one time to the next. A convenience and no record: what cannot be read is nothing.

import { readTextIfThere, writeAtomic } from '../doors/system/files.ts'
import type { RepoPaths } from './paths.ts'

/** As it was kept; null where there is nothing, or nothing that can be read. */
export function readUiMemory({ ui }: RepoPaths): unknown {
  try {
    return JSON.parse(readTextIfThere(ui) ?? 'null')
  } catch {
    return null
  }
}

export const writeUiMemory = ({ ui }: RepoPaths, memory: unknown): Promise<void> =>
  writeAtomic(ui, `${JSON.stringify(memory, null, 2)}\n`)
