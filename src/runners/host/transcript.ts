// The normalised account of a run, `stream.jsonl`: the prompt, then what the runner said, one event a line. It also
// remembers what the runner said of its own end.

import type { RunEnd } from '../../core/model/runner.ts'
import type { StreamEvent, StreamParser } from '../../core/model/stream-event.ts'
import { type Line, LineSplitter } from './line-splitter.ts'
import type { LogFile } from './log-file.ts'

export interface Transcript {
  add(event: StreamEvent): void
  stdout(chunk: Uint8Array): void
  stderr(chunk: Uint8Array): void
  /** Takes the last lines, where they had no newline. */
  end(): void
  verdict(): Pick<RunEnd, 'result' | 'last_error'>
}

export interface TranscriptDoors {
  readonly log: LogFile
  readonly parser: StreamParser
  readonly now: () => Date
  readonly onSession: (sessionId: string) => void
}

/** Longer lines are not parsed: a runner may print an image or a minified file in one. */
const LONGEST_LINE = 4 << 20
/** How much of them, in characters, is shown. */
const SHOWN_OF_CUT = 2000

export function openTranscript({ log, parser, now, onSession }: TranscriptDoors): Transcript {
  const out = new LineSplitter(LONGEST_LINE)
  const err = new LineSplitter(LONGEST_LINE)
  let result: RunEnd['result'] = null
  let last_error: string | null = null

  const add = (events: readonly StreamEvent[]): void => {
    if (events.length === 0) return
    log.append(`${events.map((event) => JSON.stringify(event)).join('\n')}\n`)
    for (const event of events) {
      if (event.kind === 'session') onSession(event.session_id)
      if (event.kind === 'error') last_error = event.message
      if (event.kind === 'result') result = { ok: event.ok, summary: event.summary, usage: event.usage }
    }
  }
  const addLines = (stream: 'stdout' | 'stderr', lines: readonly Line[]): void => {
    const at = now().toISOString()
    const parse = (line: Line): readonly StreamEvent[] =>
      stream === 'stdout' && line.cut_from === null
        ? parser.parseLine(line.text, at)
        : [{ at, kind: 'output', stream, text: describe(line) }]
    add(lines.flatMap(parse))
  }
  return {
    add: (event) => add([event]),
    stdout: (chunk) => addLines('stdout', out.push(chunk)),
    stderr: (chunk) => addLines('stderr', err.push(chunk)),
    end: () => {
      addLines('stdout', out.end())
      addLines('stderr', err.end())
    },
    verdict: () => ({ result, last_error }),
  }
}

const describe = ({ text, cut_from }: Line): string =>
  cut_from === null
    ? text
    : `${text.slice(0, SHOWN_OF_CUT)} [line of ${cut_from} bytes, cut here; the log of the raw output has all of it]`
