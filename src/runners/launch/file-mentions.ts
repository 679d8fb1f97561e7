// Looks into another program's file, which may be torn, huge or unreadable.

import { readTextIfThere } from '../../core/doors/system/files.ts'
import type { FileBounds } from '../../core/doors/system/regular-file.ts'

/** In bytes. Such a file may hold the history of years. */
const PROGRAM_BOUNDS: FileBounds = { most: 256 << 20, links: 'followed' }

/** False if there is no such file. True if it exists but cannot be read, because then nobody can say. */
export function fileMentions(path: string, pattern: RegExp): boolean {
  try {
    const text = readTextIfThere(path, PROGRAM_BOUNDS)
    return text !== null && pattern.test(text)
  } catch {
    return true
  }
}
