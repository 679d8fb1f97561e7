// The text of an emulator's lines: of a part of them as a person would paste it, and of all of them for searching.

import type { IBuffer } from '@xterm/headless'

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

/** Lines that the terminal wrapped are one line again; blanks at the end of others are dropped. */
export function readPaneRange(buffer: IBuffer, { from, to }: BufferRange): string {
  let text = ''
  for (let at = from.line; at <= to.line; at++) {
    const line = buffer.getLine(at)
    if (line === undefined) break
    const wraps = at < to.line && buffer.getLine(at + 1)?.isWrapped === true
    const start = at === from.line ? from.column : 0
    const end = at === to.line ? to.column + 1 : line.length
    const part = line.translateToString(false, start, end)
    text += wraps ? part : part.trimEnd()
    if (at < to.line && !wraps) text += '\n'
  }
  return text
}

/** Newest first. A text of lower case is found in any case. */
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
  let content = buffer.getLine(first)?.translateToString(false) ?? ''
  let count = 1
  while (buffer.getLine(first + count)?.isWrapped === true) {
    content += buffer.getLine(first + count)?.translateToString(false) ?? ''
    count++
  }
  return { content, count }
}

/** The cell in which the code unit of a paragraph's text stands. */
function cellAt(buffer: IBuffer, first: number, index: number): BufferCell {
  let left = index
  for (let line = first; line < buffer.length; line++) {
    const cells = buffer.getLine(line)
    for (let column = 0; column < (cells?.length ?? 0); column++) {
      const cell = cells?.getCell(column)
      if (cell === undefined || cell.getWidth() === 0) continue
      left -= Math.max(1, cell.getChars().length)
      if (left < 0) return { line, column }
    }
  }
  return { line: first, column: 0 }
}
