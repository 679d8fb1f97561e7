// Output consists of lines of spans. A span is made safe and coloured here and nowhere else, so no text of an agent's
// reaches a terminal unchecked, whichever view it comes from.

import type { Meaning, Paint } from './theme.ts'
import { makeVisible } from './visible.ts'

export type Span = string | { readonly text: string; readonly as: Meaning }
export type Line = Span | readonly Span[]

export const span = (text: string, as: Meaning): Span => ({ text, as })

export function renderLine(line: Line, paint: Paint): string {
  const spans = typeof line === 'string' || 'text' in line ? [line] : line
  return spans.map((part) => renderSpan(part, paint)).join('')
}

export function renderSpan(part: Span, paint: Paint): string {
  return typeof part === 'string' ? makeVisible(part) : paint(makeVisible(part.text), part.as)
}

/** Each line with its line break. */
export const renderLines = (lines: readonly Line[], paint: Paint): string =>
  lines.map((line) => `${renderLine(line, paint)}\n`).join('')
