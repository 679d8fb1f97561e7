// Writes the screen and its history as the text that draws them on a reset terminal of the same size. xterm's serialize
// addon is not exact (a stray character at some wrapped lines, the pen carried into the alternate screen), and somebody
// who joins has to see what is there.

import type { IBuffer, IBufferCell, IBufferLine, Terminal } from '@xterm/headless'
import {
  type CellLook,
  type InnerBuffer,
  type Insides,
  insidesOf,
  isLineDrawing,
} from '../../../core/emulator/xterm-insides.ts'
import { brushOf, LINK_END, linkOf, marksBlanks, NO_PEN, penOf } from './pen-from-scratch.ts'

/** The content of both screens, the saved cursors, and a switch to the alternate screen if it is in use. */
export function drawScreens(terminal: Terminal, scrollback: number): string {
  const insides = insidesOf(terminal)
  const { normal, alternate, active } = terminal.buffer
  const history = Math.min(Math.max(0, scrollback), normal.baseY)
  const content = drawBuffer(terminal, normal, history) + drawSaved(insides.buffers.normal, insides)
  if (active.type === 'normal') return content
  // Not ?1049h, which would save the cursor again.
  const switched = `${NO_PEN}\x1b[?1047h\x1b[2J\x1b[H`
  return content + switched + drawBuffer(terminal, alternate, 0) + drawSaved(insides.buffers.alt, insides)
}

/** Puts the cursor in its place and sets the pen. If the cursor was about to wrap, it is about to again. */
export function drawCursor(terminal: Terminal): string {
  const insides = insidesOf(terminal)
  const { cursorX, cursorY, baseY } = terminal.buffer.active
  const row = cursorY - (terminal.modes.originMode ? insides.buffers.active.scrollTop : 0)
  const pen = brushOf(insides._inputHandler._curAttrData, insides)
  if (cursorX < terminal.cols) return drawCursorMove(row, cursorX) + pen
  const line = terminal.buffer.active.getLine(baseY + cursorY)
  const last = line?.getCell(terminal.cols - 1)?.getWidth() === 0 ? terminal.cols - 2 : terminal.cols - 1
  const cell = line?.getCell(last)
  if (cell === undefined) return drawCursorMove(row, last) + pen
  return (
    drawCursorMove(row, last) + brushOf(cellLookOf(cell), insides) + (cell.getChars() || ' ') + LINK_END + pen
  )
}

function drawSaved(buffer: InnerBuffer, insides: Insides): string {
  const row = Math.max(0, buffer.savedY - buffer.ybase)
  const brush = brushOf(buffer.savedCurAttrData, insides)
  const [set, unset] = isLineDrawing(buffer.savedCharset) ? ['\x1b(0', '\x1b(B'] : ['', '']
  if (row === 0 && buffer.savedX === 0 && brush === NO_PEN && set === '') return ''
  return `${drawCursorMove(row, buffer.savedX)}${brush}${set}\x1b7${unset}${LINK_END}`
}

function drawBuffer(terminal: Terminal, buffer: IBuffer, history: number): string {
  const writer = new LineWriter(terminal)
  for (let row = buffer.baseY - history; row < buffer.baseY + terminal.rows; row++) {
    const line = buffer.getLine(row)
    if (line !== undefined) writer.add(line)
  }
  return writer.end()
}

class LineWriter {
  readonly #insides: Insides
  readonly #columns: number
  #text = ''
  #pen = NO_PEN
  #link = LINK_END
  /** The column of the next character; -1 if only an absolute position is certain. */
  #column = 0
  #first = true
  /** The line is full, so the next character begins the next line by itself. */
  #full = false

  constructor(terminal: Terminal) {
    this.#insides = insidesOf(terminal)
    this.#columns = terminal.cols
  }

  add(line: IBufferLine): void {
    const wraps = !this.#first && this.#full && line.isWrapped && (line.getCell(0)?.getChars() ?? '') !== ''
    if (!this.#first && !wraps) this.#breakLine()
    this.#first = false
    this.#full = false
    this.#column = 0
    for (let column = 0; column < this.#columns; ) {
      const cell = line.getCell(column)
      if (cell === undefined) return
      if (isBlankCell(cell)) column = this.#skipBlanks(line, column)
      else column = this.#addCell(cell, column, wraps && column === 0)
    }
  }

  end(): string {
    return this.#text + (this.#link === LINK_END ? '' : LINK_END) + (this.#pen === NO_PEN ? '' : NO_PEN)
  }

  /** A line that scrolls in is filled with the pen's background, so the pen is reset first. */
  #breakLine(): void {
    this.#takeUp(NO_PEN)
    this.#text += '\r\n'
  }

  #addCell(cell: IBufferCell, column: number, wrapping: boolean): number {
    const chars = cell.getChars() || ' '
    const plain = chars.length === 1 && chars < '\x7f'
    // Without a position before it, a combining mark or a flag would join the character to its left.
    if (!wrapping && (this.#column !== column || !plain)) this.#text += `\x1b[${column + 1}G`
    const look = cellLookOf(cell)
    this.#takeUp(penOf(look))
    this.#takeUpLink(linkOf(look, this.#insides))
    this.#text += chars
    const next = column + Math.max(1, cell.getWidth())
    this.#full = next >= this.#columns
    this.#column = plain ? next : -1
    if (wrapping && !cell.isBgDefault()) {
      this.#takeUp(NO_PEN)
      this.#text += '\x1b[K'
    }
    return next
  }

  /** Blanks are not written: they are skipped, or erased if they have a background. */
  #skipBlanks(line: IBufferLine, from: number): number {
    const first = line.getCell(from)
    if (first === undefined) return this.#columns
    const pen = penOf(cellLookOf(first))
    let to = from
    for (let cell: IBufferCell | undefined = first; cell !== undefined && isBlankCell(cell); ) {
      if (penOf(cellLookOf(cell)) !== pen) break
      to += 1
      cell = line.getCell(to)
    }
    if (!first.isBgDefault()) {
      if (this.#column !== from) this.#text += `\x1b[${from + 1}G`
      this.#takeUp(pen)
      this.#text += `\x1b[${to - from}X`
      this.#column = from
    }
    return to
  }

  #takeUp(pen: string): void {
    if (pen !== this.#pen) this.#text += pen
    this.#pen = pen
  }

  #takeUpLink(link: string): void {
    if (link !== this.#link) this.#text += link
    this.#link = link
  }
}

const drawCursorMove = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`

const isBlankCell = (cell: IBufferCell): boolean => cell.getChars() === '' && !marksBlanks(cellLookOf(cell))

/** The public API's cells are the same objects. */
const cellLookOf = (cell: IBufferCell): CellLook => cell as unknown as CellLook
