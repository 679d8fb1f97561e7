// From the recorded output of a runner to its events, the way a host reads them: bytes, lines, events, the end.

import { readFileSync } from 'node:fs'
import { LineSplitter, type SplitLine } from '../../../src/core/model/line-splitter.ts'
import type { RunEnd, StreamFormat } from '../../../src/core/model/runner.ts'
import type { StreamEvent } from '../../../src/core/model/stream-event.ts'
import { createStreamParser } from '../../../src/runners/stream/stream.ts'
import { transcriptPath } from './fake-runner.ts'

export const AT = '2026-01-02T03:04:05.000Z'

export type EventOf<Kind extends StreamEvent['kind']> = Extract<StreamEvent, { kind: Kind }>

export function readEvents(format: StreamFormat, chunks: readonly Uint8Array[]): readonly StreamEvent[] {
  const splitter = new LineSplitter(4 << 20)
  const parser = createStreamParser(format)
  const events: StreamEvent[] = []
  const parse = ({ text }: SplitLine): void => void events.push(...parser.parseLine(text, AT))
  for (const chunk of chunks) splitter.push(Buffer.from(chunk), parse)
  splitter.end(parse)
  return events
}

export function replay(name: string): readonly StreamEvent[] {
  return readEvents(name.startsWith('claude') ? 'claude' : 'codex', [readFileSync(transcriptPath(name))])
}

export const eventsOf = <Kind extends StreamEvent['kind']>(
  events: readonly StreamEvent[],
  kind: Kind,
): readonly EventOf<Kind>[] => events.filter((event): event is EventOf<Kind> => event.kind === kind)

/** What a host knows of a run when its process has ended. */
export function endOf(
  events: readonly StreamEvent[],
  end: Pick<RunEnd, 'exit_code'> & Partial<Pick<RunEnd, 'exit_signal' | 'asked'>>,
): RunEnd {
  return {
    exit_signal: null,
    asked: 'nothing',
    ...end,
    result: eventsOf(events, 'result').at(-1) ?? null,
    last_error: eventsOf(events, 'error').at(-1)?.message ?? null,
  }
}

/** The bytes in chunks of these sizes, and the rest. */
export function cutBytes(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  let from = 0
  const chunks = sizes.map((size) => {
    const chunk = bytes.subarray(from, from + size)
    from += size
    return chunk
  })
  return [...chunks, bytes.subarray(from)]
}
