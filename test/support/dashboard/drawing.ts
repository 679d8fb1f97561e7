// Boxes of a scene as a small picture in plain text, so that a test can compare what a person would see. A focused
// border is drawn heavy. A row's bar is shown in the border to its left: > selected, ~ unfocused, + added, - removed.

import type { Bar, Border, Rect, SceneBox, Size } from '../../../src/ui/screen/scene.ts'
import { type Line, renderLine } from '../../../src/ui/text/line.ts'
import { paintNothing } from '../../../src/ui/text/theme.ts'
import { elide, widthOf } from '../../../src/ui/text/width.ts'

const THIN = { flat: '─', side: '│', corners: ['┌', '┐', '└', '┘'], tees: ['├', '┤'] } as const
const HEAVY = { flat: '━', side: '┃', corners: ['┏', '┓', '┗', '┛'], tees: ['┣', '┫'] } as const
const BARS: Readonly<Record<Bar, string>> = { selected: '>', unfocused: '~', added: '+', removed: '-' }

/** One string for each row, without the blanks at the end. Boxes are drawn back to front, as the canvas draws them. */
export function drawBoxes(boxes: readonly SceneBox[], { columns, rows }: Size): string[] {
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ' '))
  for (const box of boxes) drawBox(cells, box)
  return cells.map((row) => row.join('').trimEnd())
}

/** The same as one text. */
export const picture = (boxes: readonly SceneBox[], size: Size): string => drawBoxes(boxes, size).join('\n')

/** The text of a line without its colours. */
export const textOf = (line: Line): string => renderLine(line, paintNothing)

type Cells = string[][]

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

function drawBox(cells: Cells, { rect, border, body }: SceneBox): void {
  const edge = border === null ? 0 : 1
  const place = { x: rect.x + edge, width: rect.width - 2 * edge }
  const height = Math.max(0, rect.height - 2 * edge)
  for (let row = 0; row < rect.height; row += 1) {
    write(cells, { x: rect.x, y: rect.y + row, width: rect.width }, ' '.repeat(rect.width))
  }
  if (border !== null) drawBorder(cells, rect, border)
  const lines =
    body.kind === 'pane' ? [{ line: `(the terminal of ${body.pane})` }] : body.rows.slice(0, height)
  lines.forEach((row, at) => {
    const y = rect.y + edge + at
    write(cells, { ...place, y }, textOf(row.line))
    if (border !== null && 'bar' in row && row.bar !== undefined) {
      write(cells, { x: rect.x, y, width: 1 }, BARS[row.bar])
    }
  })
}

function drawBorder(cells: Cells, rect: Rect, border: Border): void {
  const { flat, side, corners, tees } = border.focused ? HEAVY : THIN
  const [left, right] = border.joinsAbove === true ? tees : [corners[0], corners[1]]
  const inside = Math.max(0, rect.width - 2)
  const last = rect.y + rect.height - 1
  for (let y = rect.y + 1; y < last; y += 1) {
    write(cells, { x: rect.x, y, width: 1 }, side)
    write(cells, { x: rect.x + rect.width - 1, y, width: 1 }, side)
  }
  const line = { x: rect.x, width: rect.width }
  write(cells, { ...line, y: last }, corners[2] + flat.repeat(inside) + corners[3])
  write(cells, { ...line, y: rect.y }, left + topLine(border, inside, flat) + right)
}

function topLine({ title, note }: Border, width: number, flat: string): string {
  const shown = framed(elide(textOf(title), width - 2, 'middle'))
  const noted = note === undefined ? '' : framed(textOf(note))
  const gap = width - widthOf(shown) - widthOf(noted)
  return gap < 0 ? shown + flat.repeat(width - widthOf(shown)) : shown + flat.repeat(gap) + noted
}

const framed = (text: string): string => (text === '' ? '' : ` ${text} `)

/** Text is cut at the edge. A character of two cells leaves the second one empty. */
function write(cells: Cells, { x, y, width }: Place, text: string): void {
  let column = x
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const wide = widthOf(segment)
    if (column + wide > x + width) return
    const row = cells[y]
    if (row !== undefined && column >= 0 && column + wide <= row.length) {
      row[column] = segment
      if (wide === 2) row[column + 1] = ''
    }
    column += wide
  }
}
