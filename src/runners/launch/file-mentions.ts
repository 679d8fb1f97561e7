// A look into another program's file that may be torn, huge or not ours to read.

import { readTextIfThere } from '../../core/doors/system/files.ts'

/** False where the file is not there; true where it is there and cannot be read, as nobody can say then. */
export function fileMentions(path: string, pattern: RegExp): boolean {
  try {
    const text = readTextIfThere(path)
    return text !== null && pattern.test(text)
  } catch {
    return true
  }
}
