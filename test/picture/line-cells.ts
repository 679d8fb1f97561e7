// Draws the characters of frames and bars as lines from the middle of their cell to its edges.

import { CELL, round } from './cell-size.ts'
import type { PictureCell, Style } from './read-cells.ts'

const LIGHT = 1.1
const HEAVY = 3

/** How far a line reaches into the next one, so that no gap shows between two colours. */
const OVERLAP = 0.3

type Edge = 'left' | 'right' | 'up' | 'down'

const EDGES: Readonly<Record<string, readonly Edge[]>> = {
  '─': ['left', 'right'],
  '━': ['left', 'right'],
  '│': ['up', 'down'],
  '┌': ['right', 'down'],
  '┐': ['left', 'down'],
  '└': ['up', 'right'],
  '┘': ['up', 'left'],
  '├': ['up', 'down', 'right'],
  '┤': ['up', 'down', 'left'],
}

export interface DrawnLines {
  /** The `d` of an SVG path. */
  readonly path: string
  readonly style: Style
  readonly weight: number
}

export const isLine = (text: string): boolean => text in EDGES

/** Joins the lines that have the same colour and weight. */
export function linesOf(rows: readonly (readonly PictureCell[])[]): DrawnLines[] {
  const drawn = new Map<string, { style: Style; weight: number; strokes: Stroke[] }>()
  rows.forEach((cells, row) => {
    for (const cell of cells.filter(({ text }) => isLine(text))) {
      const weight = cell.text === '━' ? HEAVY : LIGHT
      const key = `${cell.style.fill} ${cell.style.dim} ${weight}`
      const lines = drawn.get(key) ?? { style: cell.style, weight, strokes: [] }
      for (const stroke of strokesOf(cell, row)) addStroke(lines.strokes, stroke)
      drawn.set(key, lines)
    }
  })
  return [...drawn.values()].map(({ strokes, ...look }) => ({ ...look, path: strokes.map(write).join('') }))
}

interface Stroke {
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
}

function strokesOf({ text, column }: PictureCell, row: number): Stroke[] {
  const edges = EDGES[text] ?? []
  const [left, top] = [column * CELL.width, row * CELL.height]
  const [x, y] = [left + CELL.width / 2, top + CELL.height / 2]
  const across = edges.filter((edge) => edge === 'left' || edge === 'right')
  const along = edges.filter((edge) => edge === 'up' || edge === 'down')
  return [
    ...(across.length === 0
      ? []
      : [
          {
            x: across.includes('left') ? left : x,
            y,
            right: across.includes('right') ? left + CELL.width : x,
            bottom: y,
          },
        ]),
    ...(along.length === 0
      ? []
      : [
          {
            x,
            y: along.includes('up') ? top : y,
            right: x,
            bottom: along.includes('down') ? top + CELL.height : y,
          },
        ]),
  ]
}

/** Continues the line to its left, if there is one. */
function addStroke(strokes: Stroke[], stroke: Stroke): void {
  const last = strokes.at(-1)
  if (
    last !== undefined &&
    last.y === last.bottom &&
    last.y === stroke.y &&
    round(last.right) === round(stroke.x)
  ) {
    strokes[strokes.length - 1] = { ...last, right: stroke.right }
  } else strokes.push(stroke)
}

const write = ({ x, y, right, bottom }: Stroke): string =>
  `M${round(x)} ${round(y)}${y === bottom ? `H${round(right + OVERLAP)}` : `V${round(bottom)}`}`
