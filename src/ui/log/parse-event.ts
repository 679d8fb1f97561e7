// Reads one line of `stream.jsonl`. Logs are older or newer than the program that reads them, so a line that is torn or
// of an unknown kind is no error.

import { type StreamEvent, streamEventSchema } from '../../core/model/stream-event.ts'

/** null if it is no event that we know. `cutText` may shorten the texts in it. */
export function parseEvent(line: string, cutText?: (text: string) => string): StreamEvent | null {
  try {
    const revive = (_: string, value: unknown): unknown =>
      typeof value === 'string' && cutText !== undefined ? cutText(value) : value
    const parsed = streamEventSchema.safeParse(JSON.parse(line, cutText && revive))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
