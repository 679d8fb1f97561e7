// The logs of an invocation as readable lines, as they come: the transcript of a headless run, or the words in the
// recording of a terminal.

import { LineSplitter, type SplitLine } from '../../../core/model/line-splitter.ts'
import type { StreamEvent } from '../../../core/model/stream-event.ts'
import { parseEvent } from '../../log/parse-event.ts'
import { type TailOptions, tailFile } from '../../log/tail.ts'
import { formatEvent } from '../../text/format-event.ts'
import type { Line } from '../../text/line.ts'
import { parseCastOutput } from '../../text/parse-cast.ts'
import { TerminalText } from '../../text/terminal-text.ts'
import { splitLines } from '../../text/visible.ts'

/** Bytes. Hosts write no longer lines. Of longer lines in stderr.log the beginning is shown. */
const LONGEST_LINE = 16 << 20

/** Events of `stream.jsonl`. Skips lines that are torn or of a kind that is not known yet. */
export async function* readStreamEvents(path: string, options: TailOptions): AsyncGenerator<StreamEvent> {
  for await (const line of readTextLines(path, options)) {
    const event = parseEvent(line)
    if (event !== null) yield event
  }
}

export async function* readTranscript(path: string, options: TailOptions): AsyncGenerator<Line> {
  for await (const event of readStreamEvents(path, options)) yield* formatEvent(event)
}

/** What the terminal of a headed run showed, from `session.cast`. */
export async function* readRecording(path: string, options: TailOptions): AsyncGenerator<Line> {
  const terminal = new TerminalText()
  for await (const line of readTextLines(path, options)) yield* terminal.feed(parseCastOutput(line) ?? '')
  yield* terminal.end()
}

/** Any log, line by line. What is not text is made visible when it is printed. */
export async function* readPlain(path: string, options: TailOptions): AsyncGenerator<Line> {
  for await (const line of readTextLines(path, options)) yield* splitLines(line)
}

async function* readTextLines(path: string, options: TailOptions): AsyncGenerator<string> {
  const splitter = new LineSplitter(LONGEST_LINE)
  const lines: string[] = []
  const collect = ({ text }: SplitLine): void => void lines.push(text)
  for await (const chunk of tailFile(path, options)) {
    splitter.push(Buffer.from(chunk), collect)
    yield* lines.splice(0)
  }
  splitter.end(collect)
  yield* lines
}
