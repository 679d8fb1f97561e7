// A cell of the screen as four words of 32 bits. The first three are laid out as in the emulator, so that a pane's
// cells are copied and not translated.
//
//             31                24 23 22  21  20                                        0
//   content  │                    │width│ C │ code point, or if C a number in the tables │   width 0: behind a wide one
//
//             31 30 29 28 27 26   25 24   23                                            0
//   FG       │ s  h  k  u  b  i │ mode │ colour: an index, or RGB                        │
//   BG       │    o        d  t │ mode │ the same                                        │
//   EXT      │ a number in the tables: link, style and colour of the underline; 0: none  │
//
// Letter flags: i inverse, b bold, u underline, k blink, h hidden, s strike; t italic, d dim, o overline. Mode 0 is the
// terminal's own colour, 1 one of 16, 2 one of 256, 3 RGB.

import type { CellTables } from './cell-tables.ts'

export const CELL_WORDS = 4

/** Offsets of the words. */
export const FG = 1
export const BG = 2
export const EXT = 3

/** Set if the content is the number of a cluster in the tables, not a code point. */
export const CLUSTER = 1 << 21
export const CONTENT_MASK = CLUSTER - 1
export const WIDTH_SHIFT = 22
export const BLANK = (1 << WIDTH_SHIFT) | 0x20

/** Mode and colour in the fg and bg words. 0 is the terminal's own colour. */
export const COLOUR_MASK = 0x3ffffff
export const MODE_MASK = 0x3000000
export const PALETTE_16 = 0x1000000
export const PALETTE_256 = 0x2000000
export const RGB = 0x3000000

/** Flags in the fg word. */
export const FG_FLAGS = {
  inverse: 1 << 26,
  bold: 1 << 27,
  underline: 1 << 28,
  blink: 1 << 29,
  invisible: 1 << 30,
  strike: 1 << 31,
} as const

/** Flags in the bg word. */
export const BG_FLAGS = { italic: 1 << 26, dim: 1 << 27, overline: 1 << 30 } as const
/** The other bits belong to the emulator and are not copied. */
export const BG_WORD = COLOUR_MASK | BG_FLAGS.italic | BG_FLAGS.dim | BG_FLAGS.overline

export const widthOfContent = (content: number): number => (content >>> WIDTH_SHIFT) & 3

/** Cells in a row of a source. */
export interface CellSpan {
  readonly row: number
  readonly column: number
  readonly count: number
}

export interface CellTarget {
  readonly words: Uint32Array
  /** In cells. */
  readonly at: number
  readonly tables: CellTables
}

/** Anything that has cells to show: a box of ours, or an agent's terminal. */
export interface CellSource {
  /** Outside of the source, cells are blank. */
  copyCells(span: CellSpan, target: CellTarget): void
}

export const isPlainBlank = (words: Uint32Array, at: number): boolean =>
  words[at] === BLANK && words[at + FG] === 0 && words[at + BG] === 0 && words[at + EXT] === 0

export function fillBlank(words: Uint32Array, from: number, count: number): void {
  fillCells(words, { from, count, fg: 0, bg: 0 })
}

interface Fill {
  readonly from: number
  readonly count: number
  readonly fg: number
  readonly bg: number
}

/** Up to so many cells, a loop is faster than copying by doubling. */
const LOOPED = 64

/** Fills with blanks of one look. Many are copied by doubling, which is fast even before V8 has compiled anything. */
export function fillCells(words: Uint32Array, { from, count, fg, bg }: Fill): void {
  const start = from * CELL_WORDS
  const end = start + count * CELL_WORDS
  const looped = Math.min(end, start + LOOPED * CELL_WORDS)
  for (let at = start; at < looped; at += CELL_WORDS) {
    words[at] = BLANK
    words[at + FG] = fg
    words[at + BG] = bg
    words[at + EXT] = 0
  }
  for (let done = looped; done < end; done += done - start)
    words.copyWithin(done, start, Math.min(done, start + end - done))
}

/** A loop, because making views of the arrays would take longer than the copying. */
export function copyCells(from: Uint32Array, at: number, { words, to, count }: CopyTarget): void {
  const end = (at + count) * CELL_WORDS
  let into = to * CELL_WORDS
  for (let word = at * CELL_WORDS; word < end; word++) words[into++] = from[word] ?? 0
}

interface CopyTarget {
  readonly words: Uint32Array
  readonly to: number
  readonly count: number
}

/** Copies a cell to the same place in another grid. */
export function copyCell(from: Uint32Array, to: Uint32Array, cell: number): void {
  const at = cell * CELL_WORDS
  to[at] = from[at] ?? 0
  to[at + FG] = from[at + FG] ?? 0
  to[at + BG] = from[at + BG] ?? 0
  to[at + EXT] = from[at + EXT] ?? 0
}

/** If half of a wide character is cut off, the other half becomes a blank of the same look. */
export function mendHalves(words: Uint32Array, from: number, count: number): void {
  const end = from + count
  for (let cell = from; cell < end; cell++) {
    const width = widthOfContent(words[cell * CELL_WORDS] ?? 0)
    if (width === 1) continue
    const next = cell + 1 < end ? widthOfContent(words[(cell + 1) * CELL_WORDS] ?? 0) : -1
    if (width === 2 && next === 0) {
      joinHalves(words, cell * CELL_WORDS)
      cell++
    } else words[cell * CELL_WORDS] = BLANK
  }
}

function joinHalves(words: Uint32Array, at: number): void {
  words[at + CELL_WORDS] = 0
  words.copyWithin(at + CELL_WORDS + FG, at + FG, at + CELL_WORDS)
}
