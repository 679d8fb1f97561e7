// Which file a log is read from, and what its lines mean.

import type { LogPaths } from '../../core/facade/agency.ts'
import type { RunMode } from '../../core/model/invocation.ts'
import type { StreamEvent } from '../../core/model/stream-event.ts'

/**
 * `transcript`: one event per line. `recording`: a terminal's output, as text. `raw`: the lines as they were written.
 */
export type LogForm = 'transcript' | 'recording' | 'raw'

export interface LogFile {
  readonly path: string
  readonly form: LogForm
}

/** An event, or a line of text. In a transcript a line is a note of ours. */
export type LogItem = StreamEvent | string

/** Items in the order of the file. Each batch begins where the one before it ended. */
export interface LogBatch {
  readonly form: LogForm
  readonly items: readonly LogItem[]
  /** The bytes of the file that they were read from: from `from` up to, and without, `to`. */
  readonly from: number
  readonly to: number
}

export function logFileOf(paths: LogPaths, mode: RunMode, raw: boolean): LogFile {
  if (mode === 'headed') return { path: paths.cast, form: raw ? 'raw' : 'recording' }
  return raw ? { path: paths.raw, form: 'raw' } : { path: paths.stream, form: 'transcript' }
}
