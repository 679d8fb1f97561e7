// Which lines of an emulator's screen have moved up since they were last drawn. They are drawn as images, because most
// of them do nothing but move. A line that stays in its row is compared, cell by cell, with what is shown there.

import type { InnerLine, Insides } from '../../../core/emulator/xterm-insides.ts'
import { BG, CELL_WORDS, CLUSTER, mendHalves } from '../cells/cell.ts'
import { CellTables } from '../cells/cell-tables.ts'
import { type LineImage, makeLineImage } from '../cells/line-image.ts'
import { Pen } from '../cells/pen.ts'
import { copyPaneCells, HAS_EXTENDED, INNER_WORDS } from './pane-cells.ts'

interface SeenLine {
  readonly line: InnerLine | undefined
  /** null if it was drawn cell by cell. */
  readonly known: KnownImage | null
}

interface KnownImage {
  /** The line's words, which the emulator changes; and the same memory as bytes. */
  readonly words: Uint32Array
  readonly live: Uint8Array
  /** A copy of these bytes from when the image was made. */
  readonly data: Uint8Array
  readonly image: LineImage
}

export class MovedLines {
  readonly #insides: Insides
  readonly #tables = new CellTables()
  readonly #pen = new Pen(this.#tables)
  /** For each row, the line as it was last drawn. Rows that were covered are missing. */
  #seen: (SeenLine | undefined)[] = []
  #moved = false
  #isStale = false

  constructor(insides: Insides) {
    this.#insides = insides
  }

  /** Says that the emulator's screen may have changed. */
  changed(): void {
    this.#isStale = true
  }

  /** null if the row has to be drawn cell by cell. */
  imageOf(row: number, columns: number): LineImage | null {
    if (this.#isStale) this.#follow()
    const { lines, ydisp } = this.#insides.buffers.active
    const line = lines.get(ydisp + row)
    const seen = this.#seen[row]
    const stays = line !== undefined && seen?.line === line && line.length === columns
    const known = stays ? this.#know(line, seen.known, row) : null
    if (seen?.line !== line || seen?.known !== known) this.#seen[row] = { line, known }
    return known?.image ?? null
  }

  #follow(): void {
    this.#isStale = false
    const { lines, ydisp } = this.#insides.buffers.active
    const top = lines.get(ydisp)
    const rows = this.#seen.findIndex((seen) => seen?.line === top)
    this.#moved = rows > 0
    if (rows > 0) this.#seen = this.#seen.slice(rows)
  }

  #know(line: InnerLine, known: KnownImage | null, row: number): KnownImage | null {
    if (known !== null && isAsIn(known, line)) return known
    return this.#moved && fitsIntoWords(line) ? this.#make(line, row) : null
  }

  #make(line: InnerLine, row: number): KnownImage | null {
    const count = line.length
    const cells = new Uint32Array(count * CELL_WORDS)
    copyPaneCells(this.#insides, { row, column: 0, count }, { words: cells, at: 0, tables: this.#tables })
    mendHalves(cells, 0, count)
    const image = makeLineImage(cells, this.#pen)
    if (image === null) return null
    const words = line._data
    const live = new Uint8Array(words.buffer, words.byteOffset, count * INNER_WORDS * words.BYTES_PER_ELEMENT)
    return { words, live, data: live.slice(), image }
  }
}

const isAsIn = ({ words, live, data }: KnownImage, line: InnerLine): boolean =>
  words === line._data && Buffer.compare(live, data) === 0

/** Whether nothing in it needs the tables: no clusters, no links, no special underlines. */
function fitsIntoWords({ _data, length }: InnerLine): boolean {
  for (let at = 0; at < length * INNER_WORDS; at += INNER_WORDS) {
    if (((_data[at] ?? 0) & CLUSTER) !== 0 || ((_data[at + BG] ?? 0) & HAS_EXTENDED) !== 0) return false
  }
  return true
}
