// A program that speaks no format: every line is output. PURE.

import type { StreamEvent, StreamParser } from '../../core/model/stream-event.ts'

export const createTextParser = (): StreamParser => ({ parseLine: (line, at) => [plainOutput(line, at)] })

/** A line as it stands, for what is in no format or not in the one that was expected. */
export const plainOutput = (line: string, at: string): StreamEvent => ({
  kind: 'output',
  stream: 'stdout',
  text: line,
  at,
})
