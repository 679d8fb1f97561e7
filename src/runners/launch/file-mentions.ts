// Looks into another program's file, which may be torn, huge or unreadable.

import { readTextIfThere } from '../../core/doors/system/files.ts'

/** False if there is no such file. True if it exists but cannot be read, because then nobody can say. */
export function fileMentions(path: string, pattern: RegExp): boolean {
  try {
    const text = readTextIfThere(path)
    return text !== null && pattern.test(text)
  } catch {
    return true
  }
}
