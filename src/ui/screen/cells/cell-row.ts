// Text as cells, of any length. It is cut to a width, or shortened in the middle, when it is put into its place.

import type { Line } from '../../text/line.ts'
import { makeVisible } from '../../text/visible.ts'
import { clustersOf, widthOf } from '../../text/width.ts'
import { CELL_WORDS, CLUSTER, WIDTH_SHIFT } from './cell.ts'
import type { CellTables } from './cell-tables.ts'
import type { Ink, Words } from './cell-theme.ts'
import { isTurning } from './safe-text.ts'

/** Characters that are one code unit and one cell: most rows of ours are made of these. */
export const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u25b6\u25b8-\u25be\u25c6-\u25cf\u2713\u2717\u276f]*$/

export class CellRow {
  readonly #tables: CellTables
  #cells: number[] = []

  constructor(tables: CellTables) {
    this.#tables = tables
  }

  get width(): number {
    return this.#cells.length / CELL_WORDS
  }

  /** Makes each span visible, once. */
  addLine(line: Line, ink: Ink): this {
    const spans = typeof line === 'string' || 'text' in line ? [line] : line
    for (const part of spans) {
      if (typeof part === 'string') this.addText(part, ink(null))
      else this.addText(part.text, ink(part.as))
    }
    return this
  }

  addText(text: string, words: Words): this {
    const visible = makeVisible(text)
    if (NARROW.test(visible)) {
      for (let at = 0; at < visible.length; at++) this.#add(visible.charCodeAt(at), 1, words)
    } else for (const cluster of clustersOf(visible)) this.#addCluster(cluster, words)
    return this
  }

  elideMiddle(width: number, words: Words): this {
    if (this.width <= width) return this
    const kept = Math.max(0, width - 1)
    const head = Math.ceil(kept / 2)
    const tail = this.#cells.slice((this.width - (kept - head)) * CELL_WORDS)
    this.#cells = this.#cells.slice(0, head * CELL_WORDS)
    if (width > 0) this.#add('…'.charCodeAt(0), 1, words)
    this.#cells.push(...tail)
    return this
  }

  /**
   * Copies cells into a grid from cell `from` on, and returns how many. The grid's owner mends characters that this
   * cuts in half.
   */
  copyTo(grid: Uint32Array, from: number, most: number): number {
    const count = Math.max(0, Math.min(this.width, most))
    for (let at = 0; at < count * CELL_WORDS; at++) grid[from * CELL_WORDS + at] = this.#cells[at] ?? 0
    return count
  }

  #addCluster(cluster: string, words: Words): void {
    const width = widthOf(cluster)
    const code = cluster.codePointAt(0) ?? 0x20
    const single = String.fromCodePoint(code) === cluster
    // A character without a width would join the one before it.
    if (width === 0 || (single && isTurning(code))) return
    this.#add(single ? code : CLUSTER | this.#tables.clusterId(cluster), Math.min(2, width), words)
    if (width > 1) this.#cells.push(0, words.fg, words.bg, 0)
    for (let more = 2; more < width; more++) this.#add(0x20, 1, words)
  }

  #add(content: number, width: number, words: Words): void {
    this.#cells.push((width << WIDTH_SHIFT) | content, words.fg, words.bg, 0)
  }
}
