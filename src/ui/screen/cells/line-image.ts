// The cells of a whole row together with the bytes that write them, so that a line which only moves up the screen is
// neither compared cell by cell nor encoded again.

import {
  BG,
  BLANK,
  CELL_WORDS,
  CLUSTER,
  CONTENT_MASK,
  copyCells,
  EXT,
  FG,
  isPlainBlank,
  widthOfContent,
} from './cell.ts'
import { isCertain } from './certain-width.ts'
import { FrameText } from './frame-text.ts'
import type { Pen } from './pen.ts'

export interface LineImage {
  readonly cells: Uint32Array
  /** Writes the cells before `ink`, one after the other. There is no look before and after. */
  readonly bytes: Uint8Array
  /** From this cell on, all are blank and without a look. */
  readonly ink: number
}

const text = new FrameText()

/** null if a cell is half a character, or may have another width on some terminals. `pen` has no look. */
export function makeLineImage(cells: Uint32Array, pen: Pen): LineImage | null {
  const count = cells.length / CELL_WORDS
  const ink = endOfInk(cells, 0, count)
  let cell = 0
  while (cell < ink) {
    const content = cells[cell * CELL_WORDS] ?? BLANK
    const width = widthOfContent(content)
    if ((content & CLUSTER) !== 0 || !isCertain(content & CONTENT_MASK, content) || cell + width > count)
      break
    text.ascii(pen.takeUp(wordAt(cells, cell, FG), wordAt(cells, cell, BG), wordAt(cells, cell, EXT)))
    text.code(content & CONTENT_MASK)
    cell += width
  }
  text.ascii(pen.putDown())
  const bytes = text.takeBytes()
  return cell < ink ? null : { cells, bytes, ink }
}

export function endOfInk(words: Uint32Array, base: number, count: number): number {
  let x = count
  while (x > 0 && isPlainBlank(words, (base + x - 1) * CELL_WORDS)) x--
  return x
}

const wordAt = (cells: Uint32Array, cell: number, word: number): number =>
  cells[cell * CELL_WORDS + word] ?? 0

/** An image in a row of the screen: whose cells they are, and where they begin. */
export interface PlacedImage {
  readonly x: number
  readonly width: number
  readonly image: LineImage
}

export const unfoldImage = ({ image, width }: PlacedImage, words: Uint32Array, to: number): void =>
  copyCells(image.cells, 0, { words, to, count: width })
