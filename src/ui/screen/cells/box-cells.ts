// A box as cells: its border with title and note, and its rows. The place for a pane's terminal is left blank.

import { unreachable } from '../../../core/model/unreachable.ts'
import type { Border, Rect, Row, SceneBox } from '../scene.ts'
import { innerRect } from '../scene.ts'
import {
  CELL_WORDS,
  type CellSource,
  type CellSpan,
  type CellTarget,
  copyCells,
  fillBlank,
  fillCells,
  mendHalves,
} from './cell.ts'
import { CellRow } from './cell-row.ts'
import type { CellTables } from './cell-tables.ts'
import type { CellTheme, Words } from './cell-theme.ts'

interface FrameSigns {
  readonly across: string
  readonly down: string
  /** Upper left, upper right, lower left, lower right; then the tees that can replace the upper ones. */
  readonly corners: string
  readonly tees: string
}

const LINES: FrameSigns = { across: '─', down: '│', corners: '┌┐└┘', tees: '├┤' }
const ASCII: FrameSigns = { across: '-', down: '|', corners: '++++', tees: '++' }

export class BoxCells implements CellSource {
  readonly #width: number
  readonly #height: number
  readonly #grid: Uint32Array
  readonly #palette: CellTheme
  readonly #tables: CellTables

  constructor(box: SceneBox, palette: CellTheme, tables: CellTables) {
    this.#width = Math.max(0, box.rect.width)
    this.#height = Math.max(0, box.rect.height)
    this.#grid = new Uint32Array(this.#width * this.#height * CELL_WORDS)
    this.#palette = palette
    this.#tables = tables
    this.#fill(0, this.#width * this.#height, palette.plain(null))
    this.#drawBody(box)
    if (box.border !== null && this.#width > 1 && this.#height > 1) this.#drawBorder(box.border)
  }

  copyCells({ row, column, count }: CellSpan, { words, at }: CellTarget): void {
    const outside = row < 0 || row >= this.#height || column < 0
    const inside = outside ? 0 : Math.min(count, Math.max(0, this.#width - column))
    copyCells(this.#grid, row * this.#width + column, { words, to: at, count: inside })
    fillBlank(words, at + inside, count - inside)
  }

  /** Puts another row in the place of one and leaves the rest. Returns where the row is on the screen. */
  replaceRow(box: SceneBox, index: number): Rect {
    const place = rowPlace(box, index)
    const row = box.body.kind === 'rows' ? box.body.rows[index] : undefined
    if (row !== undefined && place.height > 0) {
      this.#fill(this.#cellAt(box, place), place.width, this.#palette.plain(null))
      this.#drawRow(box, row, place)
    }
    return place
  }

  #drawBody(box: SceneBox): void {
    switch (box.body.kind) {
      case 'rows':
        this.#drawRows(box, box.body.rows)
        break
      // The terminal has cells of its own, which cover this box.
      case 'pane':
        break
      default:
        unreachable(box.body)
    }
  }

  #drawRows(box: SceneBox, rows: readonly Row[]): void {
    for (const [index, row] of rows.entries()) {
      const place = rowPlace(box, index)
      if (place.height === 0) return
      this.#drawRow(box, row, place)
    }
  }

  #drawRow(box: SceneBox, { line, bar }: Row, place: Rect): void {
    const from = this.#cellAt(box, place)
    const ink = this.#palette.on(bar)
    if (bar !== undefined) this.#fill(from, place.width, ink(null))
    new CellRow(this.#tables).addLine(line, ink).copyTo(this.#grid, from, place.width)
    mendHalves(this.#grid, from, place.width)
  }

  #cellAt = ({ rect }: SceneBox, { x, y }: Rect): number => (y - rect.y) * this.#width + x - rect.x

  #drawBorder(border: Border): void {
    const frame = this.#palette.ascii ? ASCII : LINES
    const words = border.focused ? this.#palette.focusedBorder : this.#palette.border
    const [width, height] = [this.#width, this.#height]
    const [upperLeft, upperRight] = border.joinsAbove === true ? frame.tees : frame.corners
    const middle = frame.across.repeat(width - 2)
    this.#write(0, `${upperLeft}${middle}${upperRight}`, words)
    this.#write((height - 1) * width, `${frame.corners[2]}${middle}${frame.corners[3]}`, words)
    for (let row = 1; row < height - 1; row++) {
      this.#write(row * width, frame.down, words)
      this.#write((row + 1) * width - 1, frame.down, words)
    }
    this.#drawTitle(border, words)
  }

  /** Title and note have a blank on both sides, with a cell of the line between the two. */
  #drawTitle(border: Border, words: Words): void {
    const room = this.#width - 4
    const ink = (as: Parameters<CellTheme['plain']>[0]): Words =>
      as === null && border.focused ? this.#palette.focusedBorder : this.#palette.plain(as)
    const title = new CellRow(this.#tables).addLine(border.title, ink)
    const note = new CellRow(this.#tables).addLine(border.note ?? '', ink)
    const noteFits = note.width > 0 && title.width + note.width + 3 <= room
    if (title.width > 0 && room > 0) this.#writeAired(1, title.elideMiddle(room, ink(null)), words)
    if (noteFits) this.#writeAired(this.#width - note.width - 3, note, words)
    mendHalves(this.#grid, 0, this.#width)
  }

  #writeAired(from: number, row: CellRow, words: Words): void {
    this.#write(from, ' ', words)
    const count = row.copyTo(this.#grid, from + 1, this.#width - from - 2)
    this.#write(from + 1 + count, ' ', words)
  }

  #write(from: number, text: string, words: Words): void {
    new CellRow(this.#tables).addText(text, words).copyTo(this.#grid, from, text.length)
  }

  #fill(from: number, count: number, { fg, bg }: Words): void {
    fillCells(this.#grid, { from, count, fg, bg })
  }
}

/** Has no height if there is no room for the row. */
function rowPlace(box: SceneBox, index: number): Rect {
  const { x, y, width, height } = box.border === null ? box.rect : innerRect(box.rect)
  return { x, y: y + index, width: Math.max(0, width), height: index < height ? 1 : 0 }
}
