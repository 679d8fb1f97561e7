// A cell of the screen as four words: what stands in it, its letter's look, its ground's look, and what few cells have.
// Content and looks are laid out as the emulator lays them out, so that a pane's cells are copied and not translated.

import type { CellTables } from './cell-tables.ts'

export const CELL_WORDS = 4

/** Offsets of the words. */
export const FG = 1
export const BG = 2
export const EXT = 3

/** Content: a code point, or the number of a cluster in the tables, and above it the width (0 behind a wide one). */
export const CLUSTER = 1 << 21
export const CONTENT_MASK = CLUSTER - 1
export const WIDTH_SHIFT = 22
export const BLANK = (1 << WIDTH_SHIFT) | 0x20

/** The lower 26 bits of fg and bg: a mode and its colour; 0 is the terminal's own. */
export const COLOUR_MASK = 0x3ffffff
export const MODE_MASK = 0x3000000
export const PALETTE_16 = 0x1000000
export const PALETTE_256 = 0x2000000
export const RGB = 0x3000000

/** Above the colour of the fg word. */
export const FG_FLAGS = {
  inverse: 1 << 26,
  bold: 1 << 27,
  underline: 1 << 28,
  blink: 1 << 29,
  invisible: 1 << 30,
  strike: 1 << 31,
} as const

/** Above the colour of the bg word. */
export const BG_FLAGS = { italic: 1 << 26, dim: 1 << 27, overline: 1 << 30 } as const
/** The others are the emulator's own business. */
export const BG_WORD = COLOUR_MASK | BG_FLAGS.italic | BG_FLAGS.dim | BG_FLAGS.overline

export const widthOfContent = (content: number): number => (content >>> WIDTH_SHIFT) & 3

/** Cells from one place of a source. */
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
  /** What lies outside of the source is blank. */
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

/** Cells up to which a loop is faster than the calls that double. */
const LOOPED = 64

/** With blanks of one look; many of them by doubling, which is fast also where V8 has compiled nothing yet. */
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

/** A loop: to copy by views of the arrays costs more in views than in copying. */
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

/** To the same place of another grid. */
export function copyCell(from: Uint32Array, to: Uint32Array, cell: number): void {
  const at = cell * CELL_WORDS
  to[at] = from[at] ?? 0
  to[at + FG] = from[at + FG] ?? 0
  to[at + BG] = from[at + BG] ?? 0
  to[at + EXT] = from[at + EXT] ?? 0
}

/** A half of a wide character whose other half is cut off becomes a blank of the same look. */
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
