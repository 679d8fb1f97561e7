// Knows what the person's terminal shows, cell by cell, and writes what changes it into what it should show: only the
// cells that differ, with as few sequences as possible. It writes nothing but text, looks, links, positions and
// erasures.

import { withBase } from '../../../core/emulator/lone-marks.ts'
import {
  BG,
  BLANK,
  CELL_WORDS,
  CLUSTER,
  CONTENT_MASK,
  copyCell,
  EXT,
  FG,
  fillBlank,
  isPlainBlank,
  widthOfContent,
} from './cell.ts'
import type { CellTables } from './cell-tables.ts'
import { isCertain, longestReach } from './certain-width.ts'
import { FrameText } from './frame-text.ts'
import { Pen } from './pen.ts'

/** A content that no cell has. */
const UNKNOWN = 0xffffffff

/** Cells of one row, up to, and without, `to`. */
export interface RowPart {
  readonly y: number
  readonly from: number
  readonly to: number
}

export class Compositor {
  readonly columns: number
  readonly #tables: CellTables
  readonly #shown: Uint32Array
  readonly #output = new FrameText()
  #pen: Pen
  /** Where the cursor is; -1 if only an absolute position is certain. */
  #x = -1
  #y = -1

  constructor(size: { readonly columns: number; readonly rows: number }, tables: CellTables) {
    this.columns = size.columns
    this.#tables = tables
    this.#shown = new Uint32Array(size.columns * size.rows * CELL_WORDS).fill(UNKNOWN)
    this.#pen = new Pen(tables)
  }

  /** Clears the screen, whatever was on it. */
  clear(): void {
    fillBlank(this.#shown, 0, this.#shown.length / CELL_WORDS)
    this.#pen = new Pen(this.#tables)
    this.#output.take()
    this.#output.ascii('\x1b[m\x1b]8;;\x1b\\\x1b[H\x1b[2J')
    this.#x = this.#y = 0
  }

  /** Draws what `grid`, the whole screen, has in this part of a row. No wide character may be cut in half by it. */
  drawRow({ y, from, to }: RowPart, grid: Uint32Array): void {
    const base = y * this.columns
    const row: ComposedRow = { y, grid, base, inkEnd: endOfInk(grid, base, this.columns) }
    let doubtful = 0
    for (let x = this.#nextDifference(row, from, to); x < Math.max(to, doubtful); ) {
      if (x >= row.inkEnd) {
        this.#eraseFrom(row, x)
        return
      }
      if (isCertainAt(grid, base + x)) x = this.#putRun(row, x)
      else {
        doubtful = Math.min(this.columns, Math.max(doubtful, x + this.#putUncertain(row, x)))
        x += widthAt(grid, base + x)
      }
      if (x >= doubtful) x = this.#nextDifference(row, x, to)
    }
  }

  /** All that was written since the last call, ending without a look. */
  take(): string {
    this.#output.ascii(this.#pen.putDown())
    this.#x = this.#y = -1
    return this.#output.take()
  }

  #nextDifference({ grid, base }: ComposedRow, from: number, to: number): number {
    const shown = this.#shown
    const end = (base + to) * CELL_WORDS
    let word = (base + from) * CELL_WORDS
    while (word < end && grid[word] === shown[word]) word++
    return word < end ? (word >> 2) - base : Math.max(from, to)
  }

  /**
   * Writes cells that differ and can be written one after the other with one look. Returns the first cell after them.
   */
  #putRun(row: ComposedRow, from: number): number {
    const { y, grid, base } = row
    const shown = this.#shown
    const output = this.#output
    this.#moveTo(from, y)
    this.#takeUpPen(grid, base + from)
    const end = base + this.columns
    let cell = base + from
    do {
      output.code((grid[cell * CELL_WORDS] ?? 0) & CONTENT_MASK)
      copyCell(grid, shown, cell)
      if (widthAt(grid, cell) === 2) copyCell(grid, shown, ++cell)
      cell++
    } while (
      cell < end &&
      isCertainAt(grid, cell) &&
      sameCellLook(grid, base + from, cell) &&
      differs(grid, shown, cell)
    )
    const x = cell - base
    this.#x = x < this.columns ? x : -1
    return x
  }

  /** Writes a character whose width is not certain. Returns how many cells the terminal may have overwritten. */
  #putUncertain({ y, grid, base }: ComposedRow, x: number): number {
    const content = grid[(base + x) * CELL_WORDS] ?? BLANK
    const text = withBase(textOfContent(content, this.#tables))
    const width = widthAt(grid, base + x)
    // By an absolute position, because a mark or joiner would join what was written just before it.
    this.#x = -1
    this.#moveTo(x, y)
    this.#takeUpPen(grid, base + x)
    if (width === 2 && (content & CLUSTER) !== 0) {
      // Writes blanks first: a terminal that takes it for narrow would leave the old content of its second cell.
      this.#output.ascii('  ')
      this.#x = -1
      this.#moveTo(x, y)
    }
    this.#output.text(text)
    this.#x = -1
    for (let cell = base + x; cell < base + x + width; cell++) copyCell(grid, this.#shown, cell)
    return longestReach(text)
  }

  #takeUpPen(grid: Uint32Array, cell: number): void {
    const at = cell * CELL_WORDS
    this.#output.ascii(this.#pen.takeUp(grid[at + FG] ?? 0, grid[at + BG] ?? 0, grid[at + EXT] ?? 0))
  }

  #moveTo(x: number, y: number): void {
    if (this.#y === y && this.#x === x) return
    const gap = x - this.#x
    const near = this.#y === y && this.#x >= 0 && gap > 0
    this.#output.ascii(near ? `\x1b[${gap === 1 ? '' : gap}C` : `\x1b[${y + 1};${x + 1}H`)
    this.#x = x
    this.#y = y
  }

  #eraseFrom({ y, base }: ComposedRow, x: number): void {
    this.#moveTo(x, y)
    this.#output.ascii(this.#pen.putDown())
    this.#output.ascii('\x1b[K')
    fillBlank(this.#shown, base + x, this.columns - x)
  }
}

/**
 * A row as it should be. `base` is its first cell. From cell `inkEnd` of the row on, all are blank and without a look.
 */
interface ComposedRow {
  readonly y: number
  readonly grid: Uint32Array
  readonly base: number
  readonly inkEnd: number
}

function endOfInk(words: Uint32Array, base: number, count: number): number {
  let x = count
  while (x > 0 && isPlainBlank(words, (base + x - 1) * CELL_WORDS)) x--
  return x
}

const sameCellLook = (words: Uint32Array, a: number, b: number): boolean =>
  words[a * CELL_WORDS + FG] === words[b * CELL_WORDS + FG] &&
  words[a * CELL_WORDS + BG] === words[b * CELL_WORDS + BG] &&
  words[a * CELL_WORDS + EXT] === words[b * CELL_WORDS + EXT]

function differs(a: Uint32Array, b: Uint32Array, cell: number): boolean {
  const at = cell * CELL_WORDS
  return (
    a[at] !== b[at] || a[at + FG] !== b[at + FG] || a[at + BG] !== b[at + BG] || a[at + EXT] !== b[at + EXT]
  )
}

const widthAt = (words: Uint32Array, cell: number): number =>
  Math.max(1, widthOfContent(words[cell * CELL_WORDS] ?? 0))

function isCertainAt(words: Uint32Array, cell: number): boolean {
  const content = words[cell * CELL_WORDS] ?? BLANK
  return (content & CLUSTER) === 0 && isCertain(content & CONTENT_MASK, content)
}

function textOfContent(content: number, tables: CellTables): string {
  const code = content & CONTENT_MASK
  return (content & CLUSTER) === 0 ? String.fromCodePoint(code) : tables.cluster(code)
}
