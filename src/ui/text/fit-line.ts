// Lines of spans that keep to a width.

import type { Line, Span } from './line.ts'
import { textOf, visibleSpans, withText } from './spans.ts'
import { type Elision, elide, widthOf } from './width.ts'

export const lineWidth = (line: Line): number =>
  visibleSpans(line).reduce((sum, part) => sum + widthOf(textOf(part)), 0)

/** At most `width` cells. A span that crosses the edge is shortened; those after it are left out. */
export function shortenLine(line: Line, width: number, where: Elision = 'end'): Span[] {
  let left = width
  const fitted: Span[] = []
  for (const part of visibleSpans(line)) {
    if (left <= 0) break
    const text = elide(textOf(part), left, where)
    left -= widthOf(text)
    fitted.push(withText(part, text))
  }
  return fitted
}

/**
 * One part at the left, the other at the right with one blank after it. If there is too little room, the left one is
 * shortened first.
 */
export function spreadLine(left: Line, right: Line, width: number): Span[] {
  const room = width - 1
  const kept = shortenLine(right, Math.max(0, room - Math.min(lineWidth(left), 10) - 1))
  const rightWidth = lineWidth(kept)
  const fitted = shortenLine(left, Math.max(0, room - rightWidth - (rightWidth === 0 ? 0 : 1)))
  const gap = Math.max(0, room - rightWidth - lineWidth(fitted))
  return [...fitted, ' '.repeat(gap), ...kept]
}
