// What a headless runner did, for a person to read: prompt, words, tool calls with their results folded, refusals,
// errors, and the verdict with its cost.

import type { StreamEvent } from '../../core/model/stream-event.ts'
import { formatUsage } from './amounts.ts'
import { type Line, span } from './line.ts'
import { splitLines } from './visible.ts'

/** Lines of a tool's output that are shown; the rest is only counted. */
const SHOWN = 4

const SGR = /\x1b\[[0-9;:]*m/g

export function formatEvent(event: StreamEvent): Line[] {
  switch (event.kind) {
    case 'session':
      return [span(`session ${event.session_id}${event.model === null ? '' : `, ${event.model}`}`, 'dim')]
    case 'prompt':
      return bodyOf(event.text).map((text, at) => [
        span(at === 0 ? '> ' : '  ', 'accent'),
        span(text, 'strong'),
      ])
    case 'text':
      return bodyOf(event.text)
    case 'reasoning':
      return bodyOf(event.text).map((text) => span(text, 'dim'))
    case 'tool_call':
      return formatCall(event.tool, event.input)
    case 'tool_result':
      return formatResult(event)
    case 'status':
      return formatStatus(event.state)
    case 'error':
      return bodyOf(event.message).map((text) =>
        span(`${event.retrying ? 'retrying: ' : 'error: '}${text}`, 'failed'),
      )
    case 'result':
      return formatVerdict(event)
    case 'output':
      return bodyOf(event.text).map((text) => (event.stream === 'stderr' ? span(text, 'dim') : text))
  }
}

/**
 * Lines of a text. Colours in a tool's output are dropped, because as visible escapes they would drown its words. Other
 * control characters stay visible.
 */
export const bodyOf = (text: string): string[] => splitLines(text.replace(SGR, ''))

/** Only what a person is to see to. */
function formatStatus(state: Extract<StreamEvent, { kind: 'status' }>['state']): Line[] {
  switch (state) {
    case 'needs_input':
      return [span('needs input', 'needs_you')]
    case 'blocked':
      return [span('blocked', 'needs_you')]
    case 'working':
    case 'ready_for_review':
    case 'idle':
      return []
  }
}

function formatCall(tool: string, input: string): Line[] {
  const [first = '', ...more] = bodyOf(input)
  return [
    [span('● ', 'working'), span(tool, 'strong'), first === '' ? '' : ` ${first}`],
    ...fold(more).map((line) => span(`  ${line}`, 'dim')),
  ]
}

function formatResult(event: Extract<StreamEvent, { kind: 'tool_result' }>): Line[] {
  const code = event.exit_code === null || event.exit_code === 0 ? '' : ` (exit ${event.exit_code})`
  const head: Line[] =
    event.outcome === 'ok'
      ? []
      : [span(event.outcome === 'denied' ? '  ✗ DENIED' : `  ✗ failed${code}`, 'failed')]
  return [...head, ...fold(bodyOf(event.output)).map((line) => span(`  │ ${line}`, 'dim'))]
}

function formatVerdict(event: Extract<StreamEvent, { kind: 'result' }>): Line[] {
  const usage = formatUsage(event.usage)
  const verdict = event.ok ? span('✓ done', 'ready') : span('✗ failed', 'failed')
  return [
    [verdict, usage === '' ? '' : ` (${usage})`],
    ...(event.ok ? [] : bodyOf(event.summary).map((text) => span(`  ${text}`, 'failed'))),
  ]
}

function fold(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN + 1) return [...lines]
  return [...lines.slice(0, SHOWN), `… ${lines.length - SHOWN} more lines`]
}
