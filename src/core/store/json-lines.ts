// Append-only files of JSON lines. Only whole lines are appended. A torn or unknown line is skipped when reading.

import type * as z from 'zod/mini'
import { appendLine, readTextIfThere } from '../doors/system/files.ts'

export function appendJsonLine<T>(path: string, schema: z.ZodMiniType<T>, value: T): void {
  appendLine(path, JSON.stringify(schema.parse(value)))
}

export function readJsonLines<T>(path: string, schema: z.ZodMiniType<T>): T[] {
  return parseJsonLines(readTextIfThere(path) ?? '', schema)
}

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
