// For a program without a format of its own: every line is output. Pure.

import type { StreamEvent, StreamParser } from '../../core/model/stream-event.ts'

export const createTextParser = (): StreamParser => ({ parseLine: (line, at) => [plainOutput(line, at)] })

/** A line as it is, if it has no format or not the expected one. */
export const plainOutput = (line: string, at: string): StreamEvent => ({
  kind: 'output',
  stream: 'stdout',
  text: line,
  at,
})
