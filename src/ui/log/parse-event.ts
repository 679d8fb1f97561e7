// One line of `stream.jsonl`. Logs outlive the program that wrote them: a line that is torn, or of a kind from the
// future, is nothing to fail at.

import { type StreamEvent, streamEventSchema } from '../../core/model/stream-event.ts'

/** null where it is not an event that we know. `cutText` may shorten the texts in it. */
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
