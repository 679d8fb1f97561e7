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
    const row: Row = { y, next, base: y * this.columns * WORDS }
    const inkEnd = endOfInk(next, this.columns)
    let doubtful = 0
    for (let x = this.#nextDifference(row, 0); x < this.columns; ) {
      if (x >= inkEnd) {
        this.#eraseFrom(row, x)
        return
      }
      if (isCertainAt(next, x)) x = this.#putRun(row, x)
      else {
        doubtful = Math.max(doubtful, x + this.#putUncertain(row, x))
        x += widthAt(next, x)
      }
      if (x >= doubtful) x = this.#nextDifference(row, x)
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

  #nextDifference({ next, base }: Row, from: number): number {
    const shown = this.#shown
    const end = this.columns * WORDS
    let word = from * WORDS
    while (word < end && next[word] === shown[base + word]) word++
    return word < end ? Math.floor(word / WORDS) : this.columns
  }

  /** Cells that differ, and that can be written one after the other with one look; returns the cell behind. */
  #putRun(row: Row, from: number): number {
    const { y, next } = row
    let text = ''
    let x = from
    do {
      text += String.fromCodePoint((next[x * WORDS] ?? 0) & CONTENT_MASK)
      x += widthAt(next, x)
    } while (x < this.columns && isCertainAt(next, x) && sameLook(next, from, x) && this.#differs(row, x))
    this.#moveTo(from, y)
    this.#output += this.#lookOf(next, from) + text
    this.#keep(row, from, x)
    this.#x = x < this.columns ? x : -1
    return x
  }

  /** Returns how many cells the terminal may have written over, if it gives the character another width than we do. */
  #putUncertain(row: Row, x: number): number {
    const { y, next } = row
    const content = next[x * WORDS] ?? BLANK
    const text = textOf(content, this.#tables)
    const width = widthAt(next, x)
    // By an absolute position: a mark or joiner would join what was written just before it.
    this.#x = -1
    this.#moveTo(x, y)
    this.#output += this.#lookOf(next, x)
    if (width === 2 && (content & CLUSTER) !== 0) {
      // Blanks first: a terminal that takes it for narrow would leave standing what was in its second cell.
      this.#output += '  '
      this.#x = -1
      this.#moveTo(x, y)
    }
    this.#output += text
    this.#x = -1
    this.#keep(row, x, x + width)
    return longestReach(text)
  }

  #lookOf = (next: Uint32Array, x: number): string =>
    this.#pen.takeUp(next[x * WORDS + FG] ?? 0, next[x * WORDS + BG] ?? 0, next[x * WORDS + EXT] ?? 0)

  #differs({ next, base }: Row, x: number): boolean {
    const shown = this.#shown
    const at = x * WORDS
    return (
      shown[base + at] !== next[at] ||
      shown[base + at + FG] !== next[at + FG] ||
      shown[base + at + BG] !== next[at + BG] ||
      shown[base + at + EXT] !== next[at + EXT]
    )
  }

  #keep({ next, base }: Row, from: number, to: number): void {
    this.#shown.set(next.subarray(from * WORDS, to * WORDS), base + from * WORDS)
  }

  #moveTo(x: number, y: number): void {
    if (this.#y === y && this.#x === x) return
    const gap = x - this.#x
    const near = this.#y === y && this.#x >= 0 && gap > 0
    this.#output += near ? `\x1b[${gap === 1 ? '' : gap}C` : `\x1b[${y + 1};${x + 1}H`
    this.#x = x
    this.#y = y
  }

  #eraseFrom({ y }: Row, x: number): void {
    this.#moveTo(x, y)
    this.#output += `${this.#pen.putDown()}\x1b[K`
    fillBlank(this.#shown, y * this.columns + x, this.columns - x)
  }
}

/** A row as it should be, and where it begins in what is shown. */
interface Row {
  readonly y: number
  readonly next: Uint32Array
  readonly base: number
}

/** The first cell behind which all are blank and without a look. */
function endOfInk(next: Uint32Array, columns: number): number {
  let x = columns
  while (x > 0 && isPlainBlank(next, (x - 1) * WORDS)) x--
  return x
}

const isPlainBlank = (words: Uint32Array, at: number): boolean =>
  words[at] === BLANK && words[at + FG] === 0 && words[at + BG] === 0 && words[at + EXT] === 0

const sameLook = (words: Uint32Array, a: number, b: number): boolean =>
  words[a * WORDS + FG] === words[b * WORDS + FG] &&
  words[a * WORDS + BG] === words[b * WORDS + BG] &&
  words[a * WORDS + EXT] === words[b * WORDS + EXT]

const widthAt = (words: Uint32Array, x: number): number => Math.max(1, widthOfContent(words[x * WORDS] ?? 0))

function isCertainAt(words: Uint32Array, x: number): boolean {
  const content = words[x * WORDS] ?? BLANK
  return (content & CLUSTER) === 0 && isCertain(content & CONTENT_MASK, content)
}

function textOf(content: number, tables: CellTables): string {
  const code = content & CONTENT_MASK
  return (content & CLUSTER) === 0 ? String.fromCodePoint(code) : tables.cluster(code)
}
