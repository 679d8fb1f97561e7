// One line of `stream.jsonl`. Logs outlive the program that wrote them: a line that is torn, or of a kind from the
// future, is nothing to fail at.

import { type StreamEvent, streamEventSchema } from '../../core/model/stream-event.ts'

/** null where it is not an event that we know. */
export function parseEvent(line: string): StreamEvent | null {
  try {
    const parsed = streamEventSchema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
