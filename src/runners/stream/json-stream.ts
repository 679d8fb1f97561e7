// What the JSONL formats share: a line that is torn, foreign or of unknown shape is kept as it is, so that nothing a
// runner says is lost, and nothing it says can break us. Pure.

import type * as z from 'zod/mini'
import type { StreamEvent, StreamParser } from '../../core/model/stream-event.ts'
import { plainOutput } from './text-stream.ts'

/** An event without its time. (Omit would lose the fields of a loose object.) */
export type Untimed<T = StreamEvent> = T extends unknown
  ? { [Key in keyof T as Key extends 'at' ? never : Key]: T[Key] }
  : never

/** `read` gets what `schema` accepts. It returns events, or null if it does not know what the line says. */
export function jsonStreamParser<T>(
  schema: z.ZodMiniType<T>,
  read: (message: T) => readonly Untimed[] | null,
): StreamParser {
  return {
    parseLine: (line, at) => {
      if (line.trim() === '') return []
      const events = readQuietly(line, schema, read)
      return events === null ? [plainOutput(line, at)] : events.map((event) => timed(event, at))
    },
  }
}

/** Deep nesting overflows JSON.parse and JSON.stringify, so all of the reading is guarded. */
function readQuietly<T>(
  line: string,
  schema: z.ZodMiniType<T>,
  read: (message: T) => readonly Untimed[] | null,
): readonly Untimed[] | null {
  try {
    const parsed = schema.safeParse(JSON.parse(line))
    return parsed.success ? read(parsed.data) : null
  } catch {
    return null
  }
}

const timed = (event: Untimed, at: string): StreamEvent => ({ ...event, at }) as StreamEvent
