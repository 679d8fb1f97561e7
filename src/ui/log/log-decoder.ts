// From the bytes of a log to its items. In slices so short that keys are heard in between, and with texts no longer
// than anyone would read: a log may have an image in one line.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { LineSplitter, type SplitLine } from '../../core/model/line-splitter.ts'
import { formatBytes } from '../text/amounts.ts'
import { parseCastOutput } from '../text/parse-cast.ts'
import { TerminalText } from '../text/terminal-text.ts'
import type { LogFile, LogItem } from './log-file.ts'
import { parseEvent } from './parse-event.ts'

/** Characters of one text that are kept. */
export const LONGEST_TEXT = 1 << 18
/** Bytes of one line that are kept: the longest line that a host parses, with room for what JSON adds. */
const LONGEST_LINE = 5 << 20
/** Milliseconds of work before others get their turn. */
const SLICE = 6

export interface LogDecoder {
  feed(chunk: Buffer): Promise<LogItem[]>
  /** What the last line holds, if nothing ended it. */
  end(): Promise<LogItem[]>
}

export function createLogDecoder({ form, path }: LogFile): LogDecoder {
  const splitter = new LineSplitter(LONGEST_LINE)
  const terminal = new TerminalText()
  const cutText = (text: string): string => cutLongText(text, path)
  const decode = (line: SplitLine): readonly LogItem[] => {
    switch (form) {
      case 'raw':
        return [cutText(line.text)]
      case 'recording':
        return terminal.feed(parseCastOutput(line.text) ?? '').map(cutText)
      case 'transcript':
        return decodeEvent(line, path)
    }
  }
  return {
    async feed(chunk) {
      const lines: SplitLine[] = []
      splitter.push(chunk, (line) => void lines.push(line))
      return decodeInSlices(lines, decode)
    },
    async end() {
      const lines: SplitLine[] = []
      splitter.end((line) => void lines.push(line))
      return [...(await decodeInSlices(lines, decode)), ...terminal.end()]
    },
  }
}

async function decodeInSlices(
  lines: readonly SplitLine[],
  decode: (line: SplitLine) => readonly LogItem[],
): Promise<LogItem[]> {
  const items: LogItem[] = []
  let began = performance.now()
  for (const line of lines) {
    for (const item of decode(line)) items.push(item)
    if (performance.now() - began < SLICE) continue
    await nextTurn()
    began = performance.now()
  }
  return items
}

function decodeEvent({ text, cut_from }: SplitLine, path: string): readonly LogItem[] {
  if (cut_from !== null) return [`[an event of ${formatBytes(cut_from)} is not shown; it is in ${path}]`]
  const event = parseEvent(text, text.length > LONGEST_TEXT ? (long) => cutLongText(long, path) : undefined)
  return event === null ? [] : [event]
}

/** Makes a copy: a slice of the string would keep the whole string in memory. */
function cutLongText(text: string, path: string): string {
  if (text.length <= LONGEST_TEXT) return text
  const kept = Buffer.from(text.slice(0, LONGEST_TEXT), 'utf16le').toString('utf16le')
  return `${kept}\n[cut here; all ${formatBytes(text.length)} of it are in ${path}]`
}
