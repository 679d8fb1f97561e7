// Reads the visible screen of a terminal as cells with their full colours, ready to be drawn.

import type { IBufferCell, Terminal } from '@xterm/headless'
import { BACKGROUND, colourOf, FOREGROUND } from './colours.ts'

export interface PictureCell {
  /** Of a wide character there is only its first cell here. */
  readonly text: string
  readonly column: number
  readonly width: 1 | 2
  readonly style: Style
}

export interface Style {
  /** `#rrggbb` */
  readonly fill: string
  /** null if it is that of the terminal. */
  readonly ground: string | null
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly strike: boolean
}

export function readCells({ buffer: { active }, rows, cols }: Terminal): PictureCell[][] {
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row)
    return Array.from({ length: cols }, (_, column) => column).flatMap((column) => {
      const cell = line?.getCell(column)
      return cell === undefined || cell.getWidth() === 0 ? [] : [pictureCell(cell, column)]
    })
  })
}

function pictureCell(cell: IBufferCell, column: number): PictureCell {
  const ink = cell.isFgDefault() ? FOREGROUND : colourOf(cell.getFgColor(), cell.isFgRGB())
  const ground = cell.isBgDefault() ? null : colourOf(cell.getBgColor(), cell.isBgRGB())
  const inverse = cell.isInverse() !== 0
  return {
    text: cell.isInvisible() ? ' ' : cell.getChars() || ' ',
    column,
    width: cell.getWidth() === 2 ? 2 : 1,
    style: {
      fill: inverse ? (ground ?? BACKGROUND) : ink,
      ground: inverse ? ink : ground,
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      strike: cell.isStrikethrough() !== 0,
    },
  }
}

/** Replaces what differs from run to run, such as ids, by text of the same length. */
export function maskText(
  rows: readonly PictureCell[][],
  masks: ReadonlyMap<string, string>,
): PictureCell[][] {
  return rows.map((cells) => {
    const text = cells.map((cell) => (cell.text.length === 1 ? cell.text : '\0')).join('')
    let masked = text
    for (const [from, to] of masks) masked = masked.replaceAll(from, to)
    return cells.map((cell, at) =>
      text[at] === masked[at] ? cell : { ...cell, text: masked[at] ?? cell.text },
    )
  })
}
