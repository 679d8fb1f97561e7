// The rows of an editor: where the cursor is among the wrapped rows, and which of them are visible. Only lines near the
// cursor are wrapped.

import type { Size } from '../scene.ts'
import { cellsOf, offsetAtCell } from './cells.ts'
import type { TextPlace } from './editor-history.ts'
import { wrapSoftly } from './soft-wrap.ts'

/** A row of the screen: the n-th of a line. */
export interface EditorRowPlace {
  readonly line: number
  readonly row: number
}

export interface WrappedText {
  readonly lines: readonly string[]
  /** Cells of a row. One more cell is kept for the cursor after its end. */
  readonly width: number
}

export const wrapLines = (lines: readonly string[], size: Size): WrappedText => ({
  lines,
  width: Math.max(1, size.columns - 1),
})

export function rowOfPlace(text: WrappedText, place: TextPlace): EditorRowPlace {
  const starts = startsOf(text, place.line)
  const row = starts.findLastIndex((start) => start <= place.offset)
  return { line: place.line, row: Math.max(0, row) }
}

export function cellOf(text: WrappedText, place: TextPlace): number {
  const { row } = rowOfPlace(text, place)
  const start = startsOf(text, place.line)[row] ?? 0
  return cellsOf(wrappedLineAt(text, place.line).slice(start, place.offset))
}

export function rowText(text: WrappedText, { line, row }: EditorRowPlace): string {
  const starts = startsOf(text, line)
  return wrappedLineAt(text, line).slice(starts[row] ?? 0, starts[row + 1])
}

/** The place at a cell of a row. After the end of a wrapped row, that is the last place which is still on it. */
export function placeAt(text: WrappedText, at: EditorRowPlace, cell: number): TextPlace {
  const starts = startsOf(text, at.line)
  const shown = rowText(text, at)
  const whole = offsetAtCell(shown, cell)
  const last = starts[at.row + 1] === undefined ? whole : offsetAtCell(shown, cellsOf(shown) - 1)
  return { line: at.line, offset: (starts[at.row] ?? 0) + Math.min(whole, last) }
}

/** Goes `by` rows further, or as far as there are rows. */
export function stepRows(text: WrappedText, from: EditorRowPlace, by: number): EditorRowPlace {
  let { line } = from
  let row = from.row + by
  while (row < 0 && line > 0) {
    line -= 1
    row += startsOf(text, line).length
  }
  while (row >= startsOf(text, line).length && line < text.lines.length - 1) {
    row -= startsOf(text, line).length
    line += 1
  }
  return { line, row: Math.max(0, Math.min(row, startsOf(text, line).length - 1)) }
}

/** How many rows `to` lies below `from`, at most `limit`; negative where it lies above. */
export function rowsBetween(
  text: WrappedText,
  [from, to]: readonly [EditorRowPlace, EditorRowPlace],
  limit: number,
): number {
  if (to.line < from.line || (to.line === from.line && to.row < from.row)) return -1
  let rows = to.row - from.row
  for (let line = from.line; line < to.line && rows < limit; line += 1) rows += startsOf(text, line).length
  return Math.min(rows, limit)
}

/**
 * The first visible row: the same as before if the cursor is visible then, and no room is left empty below the text.
 */
export function followCursor(
  text: WrappedText,
  view: { top: EditorRowPlace; height: number },
  cursor: TextPlace,
): EditorRowPlace {
  const height = Math.max(1, view.height)
  const at = rowOfPlace(text, cursor)
  const top = stepRows(text, clampRow(text, view.top), 0)
  const below = rowsBetween(text, [top, at], height)
  if (below < 0) return at
  if (below >= height) return stepRows(text, at, 1 - height)
  const end = { line: text.lines.length - 1, row: startsOf(text, text.lines.length - 1).length - 1 }
  const free = height - 1 - rowsBetween(text, [top, end], height)
  return free > 0 ? stepRows(text, top, -free) : top
}

const clampRow = (text: WrappedText, { line, row }: EditorRowPlace): EditorRowPlace => {
  const last = Math.min(line, text.lines.length - 1)
  return { line: last, row: Math.min(row, startsOf(text, last).length - 1) }
}

const wrappedLineAt = (text: WrappedText, line: number): string => text.lines[line] ?? ''
const startsOf = (text: WrappedText, line: number): readonly number[] =>
  wrapSoftly(wrappedLineAt(text, line), text.width)
