// Writes the screen and its history as the text that draws them on a reset terminal of the same size. xterm's serialize
// addon is not exact (a stray character at some wrapped lines, the pen carried into the alternate screen), and somebody
// who joins has to see what is there.

import type { IBuffer, IBufferCell, IBufferLine, Terminal } from '@xterm/headless'
import { charsetLetter } from '../../../core/emulator/charsets.ts'
import { withBase } from '../../../core/emulator/lone-marks.ts'
import {
  type CellLook,
  type InnerBuffer,
  type Insides,
  insidesOf,
} from '../../../core/emulator/xterm-insides.ts'
import {
  brushOf,
  LINK_END,
  linkOf,
  marksBlanks,
  NO_PEN,
  PROTECT,
  penOf,
  UNPROTECT,
} from './pen-from-scratch.ts'

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

/**
 * Puts the cursor in its place and sets the pen. What was written just before it is written again: if the cursor was
 * about to wrap, it is about to again, and the character can be repeated.
 */
export function drawCursor(terminal: Terminal): string {
  const insides = insidesOf(terminal)
  const { cursorX, cursorY, baseY } = terminal.buffer.active
  const { _curAttrData, _parser } = insides._inputHandler
  const row = cursorY - (terminal.modes.originMode ? insides.buffers.active.scrollTop : 0)
  const pen = brushOf(_curAttrData, insides)
  const line = terminal.buffer.active.getLine(baseY + cursorY)
  const waits = cursorX === terminal.cols
  const last = line?.getCell(cursorX - 1)?.getWidth() === 0 ? cursorX - 2 : cursorX - 1
  const cell = line?.getCell(last)
  const again = waits || (_parser.precedingJoinState !== 0 && cell?.getChars() !== '')
  if (line === undefined || cell === undefined || !again) {
    return drawCursorMove(row, Math.min(cursorX, terminal.cols - 1)) + pen
  }
  const look = brushOf(cellLookOf(cell), insides)
  return drawCursorMove(row, last) + look + textOf(line, last, terminal.cols) + LINK_END + pen
}

function drawSaved(buffer: InnerBuffer, insides: Insides): string {
  const row = Math.max(0, buffer.savedY - buffer.ybase)
  const brush = brushOf(buffer.savedCurAttrData, insides)
  const letter = charsetLetter(insides, buffer.savedCharset)
  const [set, unset] = letter === 'B' ? ['', ''] : [`\x1b(${letter}`, '\x1b(B']
  if (row === 0 && buffer.savedX === 0 && brush === NO_PEN && set === '') return ''
  return `${drawCursorMove(row, buffer.savedX)}${brush}${set}\x1b7${unset}${LINK_END}`
}

function drawBuffer(terminal: Terminal, buffer: IBuffer, history: number): string {
  const writer = new LineWriter(terminal)
  const end = buffer.baseY + terminal.rows
  for (let row = buffer.baseY - history; row < end; row++) {
    const line = buffer.getLine(row)
    const next = row + 1 < end ? buffer.getLine(row + 1) : undefined
    if (line !== undefined) writer.add(line, next?.isWrapped === true ? next : undefined)
  }
  return writer.end()
}

/** How a line hangs together with the one before it, and with the one after it. */
interface Joint {
  readonly wraps: boolean
  readonly rest: IBufferLine | undefined
  /** The rest begins with a wide character, which wraps by itself if the cursor is in the last cell. */
  readonly leavesRoom: boolean
}

/** The cell that it leaves gets its ground, so this is only true if it has that. */
function leavesRoom(line: IBufferLine, rest: IBufferLine): boolean {
  const [last, wide] = [line.getCell(line.length - 1), rest.getCell(0)]
  if (last === undefined || wide?.getWidth() !== 2 || rest.getCell(1)?.getWidth() !== 0) return false
  return last.getBgColorMode() === wide.getBgColorMode() && last.getBgColor() === wide.getBgColor()
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
  /** The last cell of the line is written, so the next character begins the next line by itself. */
  #full = false

  constructor(terminal: Terminal) {
    this.#insides = insidesOf(terminal)
    this.#columns = terminal.cols
  }

  /** `rest` is the next line if this one wraps into it. */
  add(line: IBufferLine, rest: IBufferLine | undefined): void {
    const joint = { wraps: this.#full, rest, leavesRoom: rest !== undefined && leavesRoom(line, rest) }
    if (!this.#first && !joint.wraps) this.#breakLine()
    this.#first = false
    this.#column = 0
    for (let column = 0; column < this.#columns; ) {
      const cell = line.getCell(column)
      if (cell === undefined) break
      if (isBlankCell(cell) && !this.#isNeeded(column, joint)) column = this.#skipBlanks(line, column, joint)
      else column = this.#addCell(line, column, joint.wraps && column === 0)
    }
    this.#full = rest !== undefined
  }

  /** Lines wrap only where something is written to the last cell of one and the first of the next. */
  #isNeeded(column: number, { wraps, rest, leavesRoom }: Joint): boolean {
    if (column === 0 && wraps) return true
    return column === this.#columns - 1 && rest !== undefined && !leavesRoom
  }

  end(): string {
    this.#takeUpLink(LINK_END)
    this.#takeUp(NO_PEN)
    return this.#text
  }

  /** A line that scrolls in is filled with the pen's background, so the pen is reset first. */
  #breakLine(): void {
    this.#takeUp(NO_PEN)
    this.#text += '\r\n'
  }

  #addCell(line: IBufferLine, column: number, wrapping: boolean): number {
    const cell = line.getCell(column)
    if (cell === undefined) return this.#columns
    const chars = textOf(line, column, this.#columns)
    const plain = chars.length === 1 && chars < '\x7f'
    // Without a position before it, a flag or joiner would join the character to its left.
    if (!wrapping && (this.#column !== column || !plain)) this.#text += `\x1b[${column + 1}G`
    const look = cellLookOf(cell)
    this.#takeUp(penOf(look))
    this.#takeUpLink(linkOf(look, this.#insides))
    this.#text += chars
    const next = column + (chars === ' ' ? 1 : Math.max(1, cell.getWidth()))
    this.#column = plain ? next : -1
    if (wrapping && !cell.isBgDefault()) {
      this.#takeUp(NO_PEN)
      this.#text += '\x1b[K'
    }
    return next
  }

  /** Blanks are not written: they are skipped, or erased if they have a background. */
  #skipBlanks(line: IBufferLine, from: number, joint: Joint): number {
    const end = this.#isNeeded(this.#columns - 1, joint) ? this.#columns - 1 : this.#columns
    const first = line.getCell(from)
    if (first === undefined) return this.#columns
    const pen = penOf(cellLookOf(first))
    let to = from
    for (let cell: IBufferCell | undefined = first; to < end && cell !== undefined && isBlankCell(cell); ) {
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
    if (to === this.#columns && joint.leavesRoom) this.#text += `\x1b[${this.#columns}G`
    return to
  }

  #takeUp(pen: string): void {
    if (pen !== this.#pen) this.#text += (this.#pen.endsWith(PROTECT) ? UNPROTECT : '') + pen
    this.#pen = pen
  }

  #takeUpLink(link: string): void {
    if (link !== this.#link) this.#text += link
    this.#link = link
  }
}

const drawCursorMove = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`

/** A wide character of which the edge of the screen, or another character, has left one half is a blank. */
function textOf(line: IBufferLine, column: number, columns: number): string {
  const cell = line.getCell(column)
  const isHalf =
    cell?.getWidth() === 2 && (column === columns - 1 || line.getCell(column + 1)?.getWidth() !== 0)
  return isHalf ? ' ' : withBase(cell?.getChars() || ' ')
}

const isBlankCell = (cell: IBufferCell): boolean => cell.getChars() === '' && !marksBlanks(cellLookOf(cell))

/** The public API's cells are the same objects. */
const cellLookOf = (cell: IBufferCell): CellLook => cell as unknown as CellLook
