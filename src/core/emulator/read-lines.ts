// Lines of a screen, read from what a LineWriter wrote. What another process sent is never believed: no cell may hold a
// control character, and no number may point out of a line.

import { SharedReader } from './shared-state.ts'
import type { StateReader } from './state-bytes.ts'
import {
  CONTENT_WIDTH,
  HAS_CLUSTER,
  LINE_BG,
  LINE_FG,
  LINE_WORDS,
  LONGEST_CLUSTER,
  NULL_CONTENT,
  RAW_FROM,
  WIDE_FROM,
} from './write-lines.ts'

/** A line as it will be kept by the emulator. */
export interface LineState {
  readonly isWrapped: boolean
  readonly data: Uint32Array
  readonly clusters: readonly (readonly [column: number, text: string])[]
  readonly extras: readonly (readonly [column: number, extra: ExtraState])[]
}

export interface ExtraState {
  readonly ext: number
  readonly link: number
}

const LARGEST = 0xffffffff
/** Cells. */
const LONGEST_LINE = 1000
const LARGEST_CONTENT = RAW_FROM + 0xffffff
/** Clusters that are left over may stand beyond the line. */
const FARTHEST = 0xffff
/** Code units of the last code point of a cluster, which may be beyond the limit. */
const LAST_POINT = 2
/** Bytes of UTF-8 in a code unit. */
const UNIT_BYTES = 3
const CONTROLS = /[\x00-\x1f\x7f-\x9f]/

export class LineReader {
  readonly #reader: StateReader
  readonly #columns: number
  readonly #blank: Uint32Array
  readonly #looks: SharedReader<readonly [fg: number, bg: number]>
  readonly #clusters: SharedReader<string>
  readonly #extras: SharedReader<ExtraState>

  constructor(reader: StateReader, columns: number) {
    this.#reader = reader
    this.#columns = columns
    this.#blank = blankCells(columns)
    this.#looks = new SharedReader(reader, () => [reader.number(LARGEST), reader.number(LARGEST)])
    this.#clusters = new SharedReader(reader, () => readCluster(reader))
    this.#extras = new SharedReader(reader, () => ({
      ext: reader.number(LARGEST),
      link: reader.number(LARGEST),
    }))
  }

  read(): LineState {
    const head = this.#reader.number(LONGEST_LINE * 4 + 3)
    const [end, isLonger, isWrapped] = [head >> 2, (head & 2) !== 0, (head & 1) !== 0]
    const length = isLonger ? this.#reader.number(LONGEST_LINE) : this.#columns
    if (end > length) throw new Error(`a line of the state has ${end} cells of ${length}`)
    const data = isLonger ? blankCells(length) : this.#blank.slice()
    for (let cell = 0; cell < end; ) cell = this.#readRun(data, cell, end)
    const line = {
      isWrapped,
      data,
      clusters: this.#readColumns(FARTHEST, () => this.#clusters.read()),
      extras: this.#readColumns(length - 1, () => this.#extras.read()),
    }
    checkClusters(line)
    return line
  }

  readExtra(): ExtraState {
    return this.#extras.read()
  }

  #readRun(data: Uint32Array, from: number, end: number): number {
    const [fg, bg] = this.#looks.read()
    const head = this.#reader.number((end - from) * 2 + 1)
    const to = from + (head >> 1)
    if (to === from) throw new Error('a run of the state is empty')
    for (let cell = from; cell < to; cell++) {
      data[cell * LINE_WORDS + LINE_FG] = fg
      data[cell * LINE_WORDS + LINE_BG] = bg
    }
    if (head % 2 === 1) {
      const content = readContent(this.#reader)
      for (let cell = from; cell < to; cell++) data[cell * LINE_WORDS] = content
      return to
    }
    for (let cell = from; cell < to; cell++) {
      const written = this.#reader.number(LARGEST_CONTENT)
      data[cell * LINE_WORDS] = decodeContent(written)
      if (written < WIDE_FROM || written >= RAW_FROM) continue
      cell++
      if (cell === to) throw new Error('a wide character of the state is cut')
      data[cell * LINE_WORDS] = 0
    }
    return to
  }

  #readColumns<T>(last: number, read: () => T): (readonly [number, T])[] {
    const count = this.#reader.number(FARTHEST)
    return Array.from({ length: count }, () => [this.#reader.number(last), read()] as const)
  }
}

function blankCells(columns: number): Uint32Array {
  const data = new Uint32Array(columns * LINE_WORDS)
  for (let at = 0; at < data.length; at += LINE_WORDS) data[at] = NULL_CONTENT
  return data
}

function readCluster(reader: StateReader): string {
  const text = reader.text((LONGEST_CLUSTER + LAST_POINT) * UNIT_BYTES)
  if (CONTROLS.test(text)) throw new Error('a cluster of the state holds a control character')
  return text
}

function readContent(reader: StateReader): number {
  const written = reader.number(LARGEST_CONTENT)
  if (written >= WIDE_FROM && written < RAW_FROM) throw new Error('a wide character of the state is repeated')
  return decodeContent(written)
}

function decodeContent(written: number): number {
  const content = written >= RAW_FROM ? written - RAW_FROM : plainContent(written)
  const code = content & (HAS_CLUSTER - 1)
  const isControl = (code > 0 && code < 0x20) || (code >= 0x7f && code <= 0x9f)
  const isClusterOfCode = (content & HAS_CLUSTER) !== 0 && code !== 0
  if (isControl || isClusterOfCode || code > 0x10ffff || content >>> CONTENT_WIDTH > 2) {
    throw new Error(`a cell of the state holds ${content.toString(16)}`)
  }
  return content
}

const plainContent = (written: number): number =>
  written >= WIDE_FROM ? (2 << CONTENT_WIDTH) | (written - WIDE_FROM) : NULL_CONTENT | written

/** Each cell that says so has a cluster. */
function checkClusters({ data, clusters }: LineState): void {
  const columns = new Set(clusters.map(([column]) => column))
  for (let at = 0, column = 0; at < data.length; at += LINE_WORDS, column++) {
    if (((data[at] ?? 0) & HAS_CLUSTER) === 0 || columns.has(column)) continue
    throw new Error('a cell of the state has lost its cluster')
  }
}
