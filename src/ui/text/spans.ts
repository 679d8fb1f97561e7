// Treats a line of spans as one text with colours: cuts it at places in the text, and recolours parts of it.

import type { Line, Span } from './line.ts'
import type { Meaning } from './theme.ts'
import { makeVisible } from './visible.ts'

/** From `start` up to, and without, `end`, in code units of the line's text. */
export interface Range {
  readonly start: number
  readonly end: number
}

export const spansOf = (line: Line): readonly Span[] =>
  typeof line === 'string' || 'text' in line ? [line] : line

export const textOf = (part: Span): string => (typeof part === 'string' ? part : part.text)

/** The spans of a line, each made visible, so that they can be measured and cut. */
export function visibleSpans(line: Line): Span[] {
  const visible: Span[] = []
  for (const part of spansOf(line)) {
    const text = makeVisible(textOf(part))
    if (text !== '') visible.push(withText(part, text))
  }
  return visible
}

export const plainText = (spans: readonly Span[]): string => spans.map(textOf).join('')

export function sliceSpans(spans: readonly Span[], { start, end }: Range): Span[] {
  const slices: Span[] = []
  let at = 0
  for (const part of spans) {
    const text = textOf(part)
    const slice = text.slice(Math.max(0, start - at), Math.max(0, end - at))
    if (slice !== '') slices.push(withText(part, slice))
    at += text.length
    if (at >= end) break
  }
  return slices
}

/** `ranges` are in order and do not overlap. */
export function recolour(spans: readonly Span[], ranges: readonly Range[], as: Meaning): readonly Span[] {
  if (ranges.length === 0) return spans
  const recoloured: Span[] = []
  let at = 0
  for (const range of ranges) {
    recoloured.push(...sliceSpans(spans, { start: at, end: range.start }))
    recoloured.push({ text: plainText(sliceSpans(spans, range)), as })
    at = range.end
  }
  return [...recoloured, ...sliceSpans(spans, { start: at, end: Infinity })]
}

export const withText = (part: Span, text: string): Span =>
  typeof part === 'string' ? text : { text, as: part.as }
