// Aligned columns that fit the width of the terminal. If space is short, the widest column that may shrink is shortened
// first. Columns without any content are left out.

import { type Line, type Span, span } from './line.ts'
import { textOf, withText } from './spans.ts'
import { makeVisible } from './visible.ts'
import { type Elision, elide, pad, widthOf } from './width.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Where it is shortened if space is short. Without this it never is. */
  readonly shrink?: Elision
}

const GAP = '  '
const LEAST = 6

interface SizedColumn extends Column {
  /** The index of its cell in each row. */
  readonly at: number
  width: number
}

/** A heading, then one line per row. `width` is in cells; with Infinity nothing is shortened. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly Span[])[],
  width: number,
): Line[] {
  const seen = rows.map((row) => row.map(seeCell))
  const sized = columns.map((column, at) => sizeColumn(column, at, seen)).filter((column) => column.width > 0)
  fitWidths(sized, width)
  return [
    layRow(
      columns.map(({ title }) => span(title, 'dim')),
      sized,
    ),
    ...seen.map((row) => layRow(row, sized)),
  ]
}

/** Made visible before it is measured, because that changes its width. */
const seeCell = (cell: Span): Span => withText(cell, makeVisible(textOf(cell)))

/** Width 0 if no row has anything in this column. */
function sizeColumn(column: Column, at: number, rows: readonly (readonly Span[])[]): SizedColumn {
  let widest = 0
  for (const row of rows) widest = Math.max(widest, widthOf(textOf(row[at] ?? '')))
  return { ...column, at, width: widest === 0 ? 0 : Math.max(widest, widthOf(column.title)) }
}

/** Takes from the widest column that may shrink, cell by cell, until the line fits or no column can give more. */
function fitWidths(columns: readonly SizedColumn[], width: number): void {
  let excess = columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length) - width
  for (; excess > 0; excess -= 1) {
    const widest = columns
      .filter((column) => column.shrink !== undefined && column.width > LEAST)
      .reduce<SizedColumn | null>((most, column) => (column.width > (most?.width ?? 0) ? column : most), null)
    if (widest === null) return
    widest.width -= 1
  }
}

function layRow(row: readonly Span[], columns: readonly SizedColumn[]): Line {
  return columns.map((column, place) => {
    const cell = row[column.at] ?? ''
    const text = elide(textOf(cell), column.width, column.shrink)
    if (place === columns.length - 1 && column.align !== 'right') return withText(cell, text)
    const padded = pad(text, column.width, column.align)
    return withText(cell, place === columns.length - 1 ? padded : padded + GAP)
  })
}
