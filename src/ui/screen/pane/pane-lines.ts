// The text of an emulator's lines: part of it as a person would paste it, or all of it for searching.

import type { IBuffer, IBufferLine } from '@xterm/headless'

/** A cell of the buffer; line 0 is the oldest of its history. */
export interface BufferCell {
  readonly line: number
  readonly column: number
}

export interface BufferRange {
  readonly from: BufferCell
  /** The last cell that belongs to it. */
  readonly to: BufferCell
}

/** Beyond the last line an emulator begins again with its first one. */
const lineAt = (buffer: IBuffer, at: number): IBufferLine | undefined =>
  at < buffer.length ? buffer.getLine(at) : undefined

/** Lines that the terminal has wrapped become one line again. Blanks at the end of other lines are dropped. */
export function readPaneRange(buffer: IBuffer, { from, to }: BufferRange): string {
  let text = ''
  for (let at = from.line; at <= to.line; at++) {
    const line = lineAt(buffer, at)
    if (line === undefined) break
    const next = at < to.line ? lineAt(buffer, at + 1) : undefined
    const wraps = next?.isWrapped === true
    const start = at === from.line ? from.column : 0
    const end = at === to.line ? to.column + 1 : filledLength(line, next)
    const part = line.translateToString(false, start, end)
    text += wraps ? part : part.trimEnd()
    if (at < to.line && !wraps) text += '\n'
  }
  return text
}

/**
 * How many cells of a line are its text. If a wide character did not fit into the last cell and wrapped, that cell
 * belongs to nothing.
 */
function filledLength(line: IBufferLine, next: IBufferLine | undefined): number {
  if (next?.isWrapped !== true || next.getCell(0)?.getWidth() !== 2) return line.length
  const last = line.getCell(line.length - 1)
  return last?.getWidth() === 1 && last.getChars() === '' ? line.length - 1 : line.length
}

/** Newest first. Case matters if the text has capital letters. */
export function findAll(buffer: IBuffer, text: string): BufferRange[] {
  const fold = text === text.toLowerCase() ? (line: string) => line.toLowerCase() : (line: string) => line
  const found: BufferRange[] = []
  for (let at = 0; at < buffer.length; ) {
    const { content, count } = readParagraph(buffer, at)
    const folded = fold(content)
    for (let index = folded.indexOf(text); index >= 0; index = folded.indexOf(text, index + text.length)) {
      found.push({ from: cellAt(buffer, at, index), to: cellAt(buffer, at, index + text.length - 1) })
    }
    at += count
  }
  return found.reverse()
}

function readParagraph(buffer: IBuffer, first: number): { content: string; count: number } {
  let content = ''
  let count = 0
  for (let line = lineAt(buffer, first); line !== undefined; ) {
    const next = lineAt(buffer, first + count + 1)
    content += line.translateToString(false, 0, filledLength(line, next))
    count++
    line = next?.isWrapped === true ? next : undefined
  }
  return { content, count: Math.max(1, count) }
}

/** The cell that shows this code unit of a paragraph's text. */
function cellAt(buffer: IBuffer, first: number, index: number): BufferCell {
  let left = index
  for (let line = first; line < buffer.length; line++) {
    const cells = lineAt(buffer, line)
    const length = cells === undefined ? 0 : filledLength(cells, lineAt(buffer, line + 1))
    for (let column = 0; column < length; column++) {
      const cell = cells?.getCell(column)
      if (cell === undefined || cell.getWidth() === 0) continue
      left -= Math.max(1, cell.getChars().length)
      if (left < 0) return { line, column }
    }
  }
  return { line: first, column: 0 }
}
