// Aligned columns that keep to the width of the terminal: the widest columns that may shrink give way first, and
// columns without any content are left out.

import { type Line, type Span, span } from './line.ts'
import { makeVisible } from './visible.ts'
import { type Elision, elide, pad, widthOf } from './width.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Where it is shortened when space is short; without it, it never is. */
  readonly shrink?: Elision
}

const GAP = 2
const LEAST = 6

/** A heading and one line a row. `width` is in cells; Infinity never shortens. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly Span[])[],
  width: number,
): Line[] {
  const texts = rows.map((row) => columns.map((_, at) => makeVisible(textOf(row[at] ?? ''))))
  const shown = [...columns.keys()].filter((at) => texts.some((row) => row[at] !== ''))
  const kept = shown.map((at) => ({
    column: columns[at] as Column,
    at,
    natural: texts.reduce(
      (most, row) => Math.max(most, widthOf(row[at] ?? '')),
      widthOf(titleOf(columns, at)),
    ),
  }))
  const widths = fitWidths(kept, width)
  const layOut = (cellOf: (at: number) => Span): Line =>
    kept.flatMap(({ column, at }, place) => {
      const last = place === kept.length - 1
      return [layCell(cellOf(at), column, { width: widths[place] ?? 0, last }), ...(last ? [] : ['  '])]
    })
  return [
    layOut((at) => span(titleOf(columns, at), 'dim')),
    ...rows.map((row, index) => layOut((at) => withText(row[at] ?? '', texts[index]?.[at] ?? ''))),
  ]
}

const titleOf = (columns: readonly Column[], at: number): string => columns[at]?.title ?? ''
const textOf = (cell: Span): string => (typeof cell === 'string' ? cell : cell.text)
const withText = (cell: Span, text: string): Span => (typeof cell === 'string' ? text : span(text, cell.as))

function layCell(cell: Span, column: Column, place: { width: number; last: boolean }): Span {
  const short = elide(textOf(cell), place.width, column.shrink ?? 'end')
  const bare = place.last && column.align !== 'right'
  return withText(cell, bare ? short : pad(short, place.width, column.align))
}

interface Sized {
  readonly column: Column
  readonly natural: number
}

function fitWidths(columns: readonly Sized[], width: number): number[] {
  const widths = columns.map(({ natural }) => natural)
  const total = (): number => widths.reduce((sum, each) => sum + each + GAP, -GAP)
  while (total() > width) {
    const widest = widestShrinkable(columns, widths)
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function widestShrinkable(columns: readonly Sized[], widths: readonly number[]): number {
  let found = -1
  for (const [at, { column }] of columns.entries()) {
    const own = widths[at] ?? 0
    if (column.shrink !== undefined && own > LEAST && own > (widths[found] ?? 0)) found = at
  }
  return found
}
