// What a block says, as lines before they are laid out: with what stands before each, and how many are shown of those
// that are folded.

import type { StreamEvent } from '../../../core/model/stream-event.ts'
import { formatUsage } from '../../text/amounts.ts'
import { bodyOf } from '../../text/format-event.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { visibleSpans } from '../../text/spans.ts'
import type { Meaning } from '../../text/theme.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import { splitLines } from '../../text/visible.ts'
import type { Block, ToolCall, ToolResult } from './block.ts'

/** Stands before the first row of a line, or before its further ones; the same width in ASCII. */
export interface Lead {
  readonly cells: string
  readonly ascii: string
  readonly as: Meaning
}

export interface SectionLine {
  readonly lead: Lead
  readonly hang: Lead
  readonly spans: readonly Span[]
}

export interface Section {
  readonly lines: readonly SectionLine[]
  /** Lines that are left when it is folded. */
  readonly shown: number
  /** When it is folded, each line has one row and no more. */
  readonly brief: boolean
}

type EventOf<Kind extends StreamEvent['kind']> = Extract<StreamEvent, { kind: Kind }>
type Leads = Pick<SectionLine, 'lead' | 'hang'>

const lead = (cells: string, ascii = cells, as: Meaning = 'dim'): Lead => ({ cells, ascii, as })
const NONE = lead('')
const INDENT = lead('  ')
const PLAIN: Leads = { lead: NONE, hang: NONE }
const PROMPT: Leads = { lead: lead('▌ ', '> ', 'accent'), hang: lead('▌ ', '> ', 'accent') }
const UNDER: Leads = { lead: INDENT, hang: INDENT }
const QUOTE: Leads = { lead: lead('  │ ', '  | '), hang: lead('  │ ', '  | ') }
const WRONG: Leads = { lead: lead('  ✗ ', '  x ', 'failed'), hang: lead('    ') }
const DONE: Leads = { lead: lead('✓ ', '+ ', 'ready'), hang: INDENT }
const FAILED: Leads = { lead: lead('✗ ', 'x ', 'failed'), hang: INDENT }
const callLeads = (as: Meaning): Leads => ({ lead: lead('● ', '* ', as), hang: INDENT })

/** Lines of a call's input and of a result that are left when they are folded. */
const INPUT_SHOWN = 2
const OUTPUT_SHOWN = 4
const PROMPT_SHOWN = 20
const REASONING_SHOWN = 10

export function sectionsOf(block: Block): readonly Section[] {
  switch (block.kind) {
    case 'joined':
      return []
    case 'line':
      return [whole(splitLines(block.text).map((line) => sectionLine(PLAIN, line)))]
    case 'note':
      return [whole(block.lines.map((line) => sectionLine(PLAIN, line)))]
    case 'call':
      return callSections(block)
    case 'event':
      return eventSections(block.event)
  }
}

const whole = (lines: readonly SectionLine[]): Section => ({ lines, shown: lines.length, brief: false })
const sectionLine = (leads: Leads, line: Line): SectionLine => ({ ...leads, spans: visibleSpans(line) })

function words(text: string, as: Meaning | null = null, leads = PLAIN): SectionLine[] {
  return bodyOf(text).map((line) => sectionLine(leads, as === null ? line : span(line, as)))
}

function eventSections(event: Exclude<StreamEvent, ToolCall>): readonly Section[] {
  switch (event.kind) {
    case 'session':
      return [
        whole(words(`session ${event.session_id}${event.model === null ? '' : `, ${event.model}`}`, 'dim')),
      ]
    case 'prompt':
      return [{ lines: words(event.text, 'strong', PROMPT), shown: PROMPT_SHOWN, brief: false }]
    case 'text':
      return [whole(words(event.text))]
    case 'reasoning':
      return [{ lines: words(event.text, 'dim'), shown: REASONING_SHOWN, brief: false }]
    case 'tool_result':
      return resultSections(event)
    case 'status':
      return [whole([statusLine(event)])]
    case 'error':
      return [whole(words(`${event.retrying ? 'retrying: ' : 'error: '}${event.message}`, 'failed'))]
    case 'result':
      return [whole(verdictLines(event))]
    case 'output':
      return [whole(words(event.text, event.stream === 'stderr' ? 'dim' : null))]
  }
}

function callSections({ event, result }: Extract<Block, { kind: 'call' }>): readonly Section[] {
  const [first = '', ...more] = bodyOf(event.input)
  const outcome = result === null ? 'working' : result.outcome === 'ok' ? 'ready' : 'failed'
  const head = sectionLine(callLeads(outcome), [span(event.tool, 'strong'), first === '' ? '' : `  ${first}`])
  const input = more.map((line) => sectionLine(UNDER, span(line, 'dim')))
  return [
    { lines: [head], shown: 1, brief: true },
    { lines: input, shown: INPUT_SHOWN, brief: true },
    ...(result === null ? [] : resultSections(result)),
  ]
}

function resultSections({ outcome, exit_code, output }: ToolResult): readonly Section[] {
  const code = exit_code === null || exit_code === 0 ? '' : ` (exit ${exit_code})`
  const verdict = outcome === 'denied' ? 'DENIED' : `failed${code}`
  return [
    whole(outcome === 'ok' ? [] : [sectionLine(WRONG, span(verdict, 'failed'))]),
    // Why something was refused is what a person has come to read.
    { lines: words(output, 'dim', QUOTE), shown: OUTPUT_SHOWN, brief: outcome === 'ok' },
  ]
}

function statusLine({ state }: EventOf<'status'>): SectionLine {
  if (state === 'ready_for_review') return sectionLine(PLAIN, span('ready for review', 'ready'))
  return sectionLine(PLAIN, span(STATE_LOOKS[state].words, STATE_LOOKS[state].meaning))
}

function verdictLines(event: EventOf<'result'>): SectionLine[] {
  const usage = formatUsage(event.usage)
  const said = event.ok ? span('done', 'ready') : span('failed', 'failed')
  const head = sectionLine(event.ok ? DONE : FAILED, [said, usage === '' ? '' : span(`  ${usage}`, 'dim')])
  return event.ok ? [head] : [head, ...words(event.summary, 'failed', UNDER)]
}
