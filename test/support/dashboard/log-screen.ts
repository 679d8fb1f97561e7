// A log on a screen of its own, for tests. Events and keys go in, and what a person sees comes out.

import type { StreamEvent } from '../../../src/core/model/stream-event.ts'
import type { LogForm, LogItem } from '../../../src/ui/log/log-file.ts'
import { actOnLog, type LogAction, type LogMove } from '../../../src/ui/screen/log/act-on-log.ts'
import { type LogFacts, type LogState, openLog } from '../../../src/ui/screen/log/log-state.ts'
import { receiveLog } from '../../../src/ui/screen/log/receive-log.ts'
import { viewLog } from '../../../src/ui/screen/log/view-log.ts'
import type { Look, Row, Size } from '../../../src/ui/screen/scene.ts'
import { drawBoxes } from './drawing.ts'

export const LOG_FACTS: LogFacts = {
  id: '20260128120500-b7c9',
  title: 'b7c9 claude · my-feature',
  runner: 'claude',
  mode: 'headless',
  display: 'working',
  paths: { raw: '/logs/raw.jsonl', stream: '/logs/stream.jsonl', stderr: '/logs/err', cast: '/logs/cast' },
}

export const LOG_LOOK: Look = { now: new Date('2026-01-28T13:00:00Z'), focused: true, ascii: false, tick: 0 }

/** An event without its time. */
export type Said = StreamEvent extends infer E ? (E extends StreamEvent ? Omit<E, 'at'> : never) : never

export const at = (minute: number): string => `2026-01-28T12:${String(minute).padStart(2, '0')}:00.000Z`

export const call = (call_id: string, input: string, tool = 'Bash'): StreamEvent => ({
  at: at(4),
  kind: 'tool_call',
  call_id,
  tool,
  input,
})

export const result = (
  call_id: string,
  output: string,
  outcome: 'ok' | 'failed' | 'denied' = 'ok',
): StreamEvent => ({
  at: at(4),
  kind: 'tool_result',
  call_id,
  output,
  outcome,
  exit_code: outcome === 'failed' ? 3 : null,
})

export const words = (text: string, minute = 5): StreamEvent => ({ at: at(minute), kind: 'text', text })
export const prompt = (text: string): StreamEvent => ({ at: at(3), kind: 'prompt', text })

/** Appends items, as if each were one byte long. */
export function append(state: LogState, items: readonly LogItem[], form: LogForm = 'transcript'): LogState {
  const { to } = form === 'raw' ? state.scripts.raw : state.scripts.readable
  return receiveLog(state, { form, items, from: to, to: to + items.length })
}

export const logOf = (items: readonly LogItem[], facts: Partial<LogFacts> = {}): LogState =>
  append(openLog({ ...LOG_FACTS, ...facts }), items)

export const press = (state: LogState, keys: readonly (LogAction | LogMove)[], size: Size): LogState =>
  keys.reduce((pressed, key) => actOnLog(pressed, key, size), state)

export const drawLog = (state: LogState, size: Size, look: Partial<Look> = {}): string[] =>
  drawBoxes(viewLog(state, rectOf(size), { ...LOG_LOOK, ...look }), size)

/** The rows inside the border, with their colours. */
export function rowsOfLog(state: LogState, size: Size): readonly Row[] {
  const [box] = viewLog(state, rectOf(size), LOG_LOOK)
  return box?.body.kind === 'rows' ? box.body.rows : []
}

export const rectOf = ({ columns, rows }: Size) => ({ x: 0, y: 0, width: columns, height: rows })
