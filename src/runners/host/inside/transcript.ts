// The account of a run in one form for all runners, `stream.jsonl`: the prompt, then what the runner said, one event
// per line. Also remembers what the runner said about its own end.

import { LineSplitter, type SplitLine } from '../../../core/model/line-splitter.ts'
import type { RunEnd } from '../../../core/model/runner.ts'
import type { StreamEvent, StreamParser } from '../../../core/model/stream-event.ts'
import type { AppendedLog } from './appended-log.ts'
import { createBatch } from './batch.ts'

export interface Transcript {
  add(event: StreamEvent): void
  stdout(chunk: Buffer): void
  stderr(chunk: Buffer): void
  /** Takes the last lines, if they had no newline. */
  end(): void
  verdict(): Pick<RunEnd, 'result' | 'last_error'>
}

export interface TranscriptDoors {
  readonly log: AppendedLog
  readonly parser: StreamParser
  readonly now: () => Date
  readonly onSession: (sessionId: string) => void
  readonly onTurnEnd: () => void
}

/** Bytes. A longer line is not parsed: a runner may print an image or a minified file in one line. */
const LONGEST_LINE = 4 << 20
/** Characters of such a line that are shown. */
const SHOWN_OF_CUT = 2000

export function openTranscript({ log, parser, now, onSession, onTurnEnd }: TranscriptDoors): Transcript {
  const out = new LineSplitter(LONGEST_LINE)
  const err = new LineSplitter(LONGEST_LINE)
  const batch = createBatch(log)
  let result: RunEnd['result'] = null
  let last_error: string | null = null

  const add = (event: StreamEvent): void => {
    batch.add(`${JSON.stringify(event)}\n`)
    if (event.kind === 'session') onSession(event.session_id)
    if (event.kind === 'error') last_error = event.message
    if (event.kind === 'result') onTurnEnd()
    if (event.kind === 'result') result = { ok: event.ok, summary: event.summary, usage: event.usage }
  }
  const addOutput = (stream: 'stdout' | 'stderr', line: SplitLine): void => {
    const at = now().toISOString()
    if (stream === 'stdout' && line.cut_from === null) parser.parseLine(line.text, at).forEach(add)
    else add({ at, kind: 'output', stream, text: showCutLine(line) })
  }
  const addStdout = (line: SplitLine): void => addOutput('stdout', line)
  const addStderr = (line: SplitLine): void => addOutput('stderr', line)
  const written =
    <A extends readonly unknown[]>(work: (...args: A) => void) =>
    (...args: A): void => {
      work(...args)
      batch.flush()
    }
  return {
    add: written(add),
    stdout: written((chunk) => out.push(chunk, addStdout)),
    stderr: written((chunk) => err.push(chunk, addStderr)),
    end: written(() => {
      out.end(addStdout)
      err.end(addStderr)
    }),
    verdict: () => ({ result, last_error }),
  }
}

const showCutLine = ({ text, cut_from }: SplitLine): string =>
  cut_from === null
    ? text
    : `${text.slice(0, SHOWN_OF_CUT)} [line of ${cut_from} bytes, cut here; the log of the raw output has all of it]`
