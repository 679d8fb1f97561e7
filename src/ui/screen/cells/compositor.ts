// Knows what the person's terminal shows, cell by cell, and writes what turns it into what it should show: only the cells
// that differ, with as few sequences as there are. It writes nothing but text, looks, links, positions and erasures.

import { BG, BLANK, CLUSTER, CONTENT_MASK, EXT, FG, fillBlank, WORDS, widthOfContent } from './cell.ts'
import type { CellTables } from './cell-tables.ts'
import { isCertain, longestReach } from './certain-width.ts'
import { Pen } from './pen.ts'

/** No cell has this content. */
const UNKNOWN = 0xffffffff

export class Compositor {
  readonly columns: number
  readonly #tables: CellTables
  readonly #shown: Uint32Array
  #pen: Pen
  #output = ''
  /** Where the cursor is; -1 where only an absolute position is certain. */
  #x = -1
  #y = -1

  constructor(size: { readonly columns: number; readonly rows: number }, tables: CellTables) {
    this.columns = size.columns
    this.#tables = tables
    this.#shown = new Uint32Array(size.columns * size.rows * WORDS).fill(UNKNOWN)
    this.#pen = new Pen(tables)
  }

  /** Clears the screen, whatever was on it. */
  clear(): void {
    fillBlank(this.#shown, 0, this.#shown.length / WORDS)
    this.#pen = new Pen(this.#tables)
    this.#output = '\x1b[m\x1b]8;;\x1b\\\x1b[H\x1b[2J'
    this.#x = this.#y = 0
  }

  /** Draws over a row what of `next` it does not show yet. Wide characters in `next` have both of their halves. */
  drawRow(y: number, next: Uint32Array): void {
    const base = y * this.columns * WORDS
    const inkEnd = this.#endOfInk(next)
    let doubtful = 0
    for (let x = 0; x < this.columns; ) {
      const at = x * WORDS
      const width = widthOfContent(next[at] ?? 0)
      if (x < doubtful || this.#differs(base + at, next, at)) {
        if (x >= inkEnd) {
          this.#eraseFrom({ x, y })
          return
        }
        doubtful = Math.max(doubtful, this.#put({ x, y }, next, at))
      }
      x += Math.max(1, width)
    }
  }

  /** What a row shows, for those whose cells are to stay as they are. */
  copyShown(y: number, from: number, target: { words: Uint32Array; count: number }): void {
    const start = (y * this.columns + from) * WORDS
    target.words.set(this.#shown.subarray(start, start + target.count * WORDS), from * WORDS)
  }

  /** Everything since the last call, with the pen put down. */
  take(): string {
    const output = this.#output + this.#pen.putDown()
    this.#output = ''
    this.#x = this.#y = -1
    return output
  }

  /** The first cell behind which all are blank and without a look. */
  #endOfInk(next: Uint32Array): number {
    let x = this.columns
    while (x > 0 && isPlainBlank(next, (x - 1) * WORDS)) x--
    return x
  }

  #differs(shownAt: number, next: Uint32Array, at: number): boolean {
    const shown = this.#shown
    return (
      shown[shownAt] !== next[at] ||
      shown[shownAt + FG] !== next[at + FG] ||
      shown[shownAt + BG] !== next[at + BG] ||
      shown[shownAt + EXT] !== next[at + EXT]
    )
  }

  /** Returns up to where the terminal may have written, if it gives the character another width than we do. */
  #put(place: Place, next: Uint32Array, at: number): number {
    const content = next[at] ?? BLANK
    const width = Math.max(1, widthOfContent(content))
    this.#keep(place, next, at)
    if (width === 2) this.#keep({ x: place.x + 1, y: place.y }, next, at + WORDS)
    const code = content & CONTENT_MASK
    const certain = (content & CLUSTER) === 0 && isCertain(code, content)
    // A mark or joiner would join what was written just before it.
    if (!certain) this.#x = -1
    this.#moveTo(place)
    this.#output += this.#pen.takeUp(next[at + FG] ?? 0, next[at + BG] ?? 0, next[at + EXT] ?? 0)
    if ((content & CLUSTER) !== 0) return this.#putCluster(place, this.#tables.cluster(code), width)
    this.#output += String.fromCodePoint(code)
    const end = place.x + width
    this.#x = certain && end < this.columns ? end : -1
    return certain ? 0 : place.x + 2
  }

  /** Blanks first: a terminal that takes it for narrow would leave standing what was in its second cell. */
  #putCluster(place: Place, cluster: string, width: number): number {
    if (width === 2) {
      this.#output += '  '
      this.#x = -1
      this.#moveTo(place)
    }
    this.#output += cluster
    this.#x = -1
    return place.x + longestReach(cluster)
  }

  #keep({ x, y }: Place, next: Uint32Array, at: number): void {
    const shown = this.#shown
    const to = (y * this.columns + x) * WORDS
    shown[to] = next[at] ?? BLANK
    shown[to + FG] = next[at + FG] ?? 0
    shown[to + BG] = next[at + BG] ?? 0
    shown[to + EXT] = next[at + EXT] ?? 0
  }

  #moveTo({ x, y }: Place): void {
    if (this.#y === y && this.#x === x) return
    const gap = x - this.#x
    const near = this.#y === y && this.#x >= 0 && gap > 0
    this.#output += near ? `\x1b[${gap === 1 ? '' : gap}C` : `\x1b[${y + 1};${x + 1}H`
    this.#x = x
    this.#y = y
  }

  #eraseFrom(place: Place): void {
    this.#moveTo(place)
    this.#output += `${this.#pen.putDown()}\x1b[K`
    fillBlank(this.#shown, place.y * this.columns + place.x, this.columns - place.x)
  }
}

interface Place {
  readonly x: number
  readonly y: number
}

const isPlainBlank = (words: Uint32Array, at: number): boolean =>
  words[at] === BLANK && words[at + FG] === 0 && words[at + BG] === 0 && words[at + EXT] === 0
