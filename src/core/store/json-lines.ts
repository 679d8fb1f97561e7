// Append-only files of JSON lines. Only whole lines are appended. A torn or unknown line is skipped when reading.

import type * as z from 'zod/mini'
import { appendLine, readBytesFrom } from '../doors/system/files.ts'

export function appendJsonLine<T>(path: string, schema: z.ZodMiniType<T>, value: T): void {
  appendLine(path, JSON.stringify(schema.parse(value)))
}

/** Bytes at the end of a file that are read. What is older is only kept: an agent may have made the file endless. */
export const MOST_READ = 64 << 20

/** Throws E_FILE_UNREADABLE. */
export const readJsonLines = <T>(path: string, schema: z.ZodMiniType<T>): T[] =>
  parseJsonLines(readBytesFrom(path, 0, MOST_READ).bytes.toString('utf8'), schema)

export function parseJsonLines<T>(text: string, schema: z.ZodMiniType<T>): T[] {
  return text.split('\n').flatMap((line) => {
    const value = parseJsonLine(line, schema)
    return value === null ? [] : [value]
  })
}

function parseJsonLine<T>(line: string, schema: z.ZodMiniType<T>): T | null {
  if (line === '') return null
  try {
    const parsed = schema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
