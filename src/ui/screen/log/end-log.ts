// What stands below a log that nothing more is added to: how the run ended and what its refused tools would need, or
// why it cannot be read.

import type { AgencyError } from '../../../core/model/errors.ts'
import type { InvocationRecord } from '../../../core/model/invocation.ts'
import { viewDenials } from '../../text/denial-advice.ts'
import { bodyOf } from '../../text/format-event.ts'
import { type Line, span } from '../../text/line.ts'
import type { Block } from './block.ts'
import { type LogState, type Script, shownScript, withScript } from './log-state.ts'

export interface LogEnd {
  readonly record: InvocationRecord
  /** null where it is not known. */
  readonly changedFiles: number | null
}

/** Nothing more is written to the log. Without a verdict it just ends. */
export function endLog(state: LogState, verdict?: LogEnd): LogState {
  const { readable, raw } = state.scripts
  const lines = verdict === undefined ? null : endLines(verdict)
  const ended = withScript({ ...state, ended: true }, { tail: tailOf(readable, lines) }, false)
  return withScript(ended, { tail: tailOf(raw, lines) }, true)
}

/** The form that is shown could not be read. */
export function failLog(state: LogState, error: Pick<AgencyError, 'message' | 'hint'>): LogState {
  const lines = [
    ...bodyOf(error.message).map((line) => span(line, 'failed')),
    span(error.hint, 'dim'),
    [
      span('v', 'key'),
      span(` shows ${state.raw ? 'the readable log' : 'the raw lines'}, `, 'dim'),
      span('Esc', 'key'),
      span(' goes back', 'dim'),
    ],
  ]
  return withScript(state, { tail: tailOf(shownScript(state), lines), loaded: true })
}

/** The run goes on after all: a reply was given, or the log can be read again. */
export const resumeLog = (state: LogState): LogState =>
  withScript(withScript({ ...state, ended: false }, { tail: null }, false), { tail: null }, true)

const tailOf = ({ blocks }: Script, lines: readonly Line[] | null): Block | null =>
  lines === null ? null : { kind: 'note', lines, gap: blocks.length > 0 }

function endLines({ record, changedFiles }: LogEnd): readonly Line[] {
  const failed = record.status === 'failed'
  const how = record.exit_signal ?? (record.exit_code === null ? 'unknown' : `exit ${record.exit_code}`)
  const words = failed ? `failed (${how})` : record.exit_reason === 'stopped' ? 'stopped' : 'finished'
  return [
    span(words, failed ? 'failed' : 'ready'),
    ...(record.failure === null ? [] : bodyOf(record.failure).map((line) => span(line, 'failed'))),
    // Whether it changed nothing is only said where that is known.
    ...viewDenials(record, changedFiles ?? 1),
  ]
}
