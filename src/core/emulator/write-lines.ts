// Lines of a screen as bytes, cell by cell as the emulator keeps them. They are written in runs of cells that look the
// same, so that a usual line takes hardly more than its text.

import { SharedWriter } from './shared-state.ts'
import type { StateWriter } from './state-bytes.ts'
import type { InnerExtras, InnerLine } from './xterm-insides.ts'

/** Words of a cell in the emulator, and the place of each. */
export const LINE_WORDS = 3
export const LINE_FG = 1
export const LINE_BG = 2
/** In the background word. */
export const HAS_EXTRAS = 1 << 28
/** In the content word; its code is 0 then. */
export const HAS_CLUSTER = 1 << 21
export const CONTENT_WIDTH = 22
/** The content of a cell that was never written to. */
export const NULL_CONTENT = 1 << CONTENT_WIDTH

/** How contents are written: a narrow character as its code, a wide one with the cell behind it, others as they are. */
export const WIDE_FROM = 0x110000
export const RAW_FROM = 0x200000
const LARGEST_WIDE = RAW_FROM - WIDE_FROM - 1
/** Fewer cells of the same content are written one by one. */
const WORTH_REPEATING = 4

/** Code units of a cluster, about. What a person sees of it is much shorter. */
export const LONGEST_CLUSTER = 256

export class LineWriter {
  readonly #writer: StateWriter
  readonly #looks: SharedWriter
  readonly #clusters: SharedWriter
  readonly #extras: SharedWriter
  readonly #columns: number
  /** The numbers of links that were written. */
  readonly links = new Set<number>()

  constructor(writer: StateWriter, columns: number) {
    this.#writer = writer
    this.#columns = columns
    this.#looks = new SharedWriter(writer)
    this.#clusters = new SharedWriter(writer)
    this.#extras = new SharedWriter(writer)
  }

  write(line: InnerLine): void {
    const end = endOfCells(line._data)
    // A line of the alternate screen keeps what a narrower screen has cut off.
    const isLonger = line.length !== this.#columns
    this.#writer.number(end * 4 + (isLonger ? 2 : 0) + (line.isWrapped ? 1 : 0))
    if (isLonger) this.#writer.number(line.length)
    for (let from = 0; from < end; ) from = this.#writeRun(line, from, end)
    this.#writeClusters(line)
    this.#writeExtras(line, end)
  }

  writeExtra({ _ext, _urlId }: InnerExtras): void {
    this.links.add(_urlId)
    this.#extras.write(`${_ext} ${_urlId}`, (writer) => {
      writer.number(_ext)
      writer.number(_urlId)
    })
  }

  /** Returns the first cell after the run. */
  #writeRun(line: InnerLine, from: number, end: number): number {
    const { _data: data } = line
    const [fg = 0, bg = 0] = [data[from * LINE_WORDS + LINE_FG], data[from * LINE_WORDS + LINE_BG]]
    this.#looks.write(`${fg} ${bg}`, (writer) => {
      writer.number(fg)
      writer.number(bg)
    })
    const same = endOfSame(data, from, end)
    if (same - from >= WORTH_REPEATING) {
      this.#writer.number((same - from) * 2 + 1)
      this.#writer.number(encodeContent(contentAt(line, from)))
      return same
    }
    let to = same
    while (to < end && isAlike(data, from, to)) {
      const next = endOfSame(data, to, end)
      if (next - to >= WORTH_REPEATING) break
      to = next
    }
    this.#writer.number((to - from) * 2)
    for (let cell = from; cell < to; cell++) {
      const content = contentAt(line, cell)
      const pair = cell + 1 < to && isPlainWide(content) && data[(cell + 1) * LINE_WORDS] === 0
      if (pair) cell++
      this.#writer.number(pair ? WIDE_FROM + (content & (HAS_CLUSTER - 1)) : encodeContent(content))
    }
    return to
  }

  #writeClusters({ _combined }: InnerLine): void {
    const columns = Object.keys(_combined)
    this.#writer.number(columns.length)
    for (const column of columns) {
      const text = _combined[Number(column)] ?? ''
      this.#writer.number(Number(column))
      this.#clusters.write(text, (writer) => writer.text(text))
    }
  }

  #writeExtras({ _data: data, _extendedAttrs }: InnerLine, end: number): void {
    const found: (readonly [column: number, extras: InnerExtras])[] = []
    for (let cell = 0; cell < end; cell++) {
      if (((data[cell * LINE_WORDS + LINE_BG] ?? 0) & HAS_EXTRAS) === 0) continue
      const extras = _extendedAttrs[cell]
      if (extras !== undefined) found.push([cell, extras])
    }
    this.#writer.number(found.length)
    for (const [column, extras] of found) {
      this.#writer.number(column)
      this.writeExtra(extras)
    }
  }
}

/** Cells after it were never written to. */
function endOfCells(data: Uint32Array): number {
  let end = data.length
  while (end > 0 && data[end - 1] === 0 && data[end - 2] === 0 && data[end - 3] === NULL_CONTENT)
    end -= LINE_WORDS
  return end / LINE_WORDS
}

function isAlike(data: Uint32Array, a: number, b: number): boolean {
  const [one, other] = [a * LINE_WORDS, b * LINE_WORDS]
  return data[one + LINE_FG] === data[other + LINE_FG] && data[one + LINE_BG] === data[other + LINE_BG]
}

/** The first cell that differs, not counting clusters as the same. */
function endOfSame(data: Uint32Array, from: number, end: number): number {
  const content = data[from * LINE_WORDS] ?? 0
  let to = from + 1
  if ((content & HAS_CLUSTER) !== 0) return to
  while (to < end && data[to * LINE_WORDS] === content && isAlike(data, from, to)) to++
  return to
}

/** A cluster that is missing counts as nothing. */
function contentAt({ _data, _combined }: InnerLine, cell: number): number {
  const content = _data[cell * LINE_WORDS] ?? 0
  return (content & HAS_CLUSTER) !== 0 && !_combined[cell] ? NULL_CONTENT : content
}

const isPlainWide = (content: number): boolean =>
  content >>> CONTENT_WIDTH === 2 &&
  (content & HAS_CLUSTER) === 0 &&
  (content & (HAS_CLUSTER - 1)) <= LARGEST_WIDE

const encodeContent = (content: number): number =>
  content >>> CONTENT_WIDTH === 1 && (content & HAS_CLUSTER) === 0
    ? content & (HAS_CLUSTER - 1)
    : RAW_FROM + content
