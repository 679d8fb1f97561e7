// What is selected in a pane. The selection belongs to lines of the buffer, not to places on the screen, so it moves up
// with its text while the agent goes on printing.

import type { IMarker, Terminal } from '@xterm/headless'
import type { BufferCell, BufferRange } from './pane-lines.ts'

export class PaneSelection {
  readonly #terminal: Terminal
  #ends: readonly { readonly marker: IMarker; readonly column: number }[] = []

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get isEmpty(): boolean {
    return this.#ends.length === 0
  }

  /** null if nothing is selected, or if the lines have left the history. */
  get range(): BufferRange | null {
    const [from, to] = this.#ends
    if (from === undefined || to === undefined || from.marker.isDisposed || to.marker.isDisposed) return null
    return {
      from: { line: from.marker.line, column: from.column },
      to: { line: to.marker.line, column: to.column },
    }
  }

  set({ from, to }: BufferRange): void {
    this.clear()
    const ends = isBefore(to, from) ? [to, from] : [from, to]
    this.#ends = ends.flatMap(({ line, column }) => {
      const { baseY, cursorY } = this.#terminal.buffer.active
      const marker = this.#terminal.registerMarker(line - baseY - cursorY)
      return marker === undefined ? [] : [{ marker, column }]
    })
  }

  clear(): void {
    for (const { marker } of this.#ends) marker.dispose()
    this.#ends = []
  }

  /** The selected columns of a line; null for none. */
  columnsOf(line: number, width: number): { readonly first: number; readonly last: number } | null {
    const range = this.range
    if (range === null || line < range.from.line || line > range.to.line) return null
    return {
      first: line === range.from.line ? range.from.column : 0,
      last: line === range.to.line ? range.to.column : width - 1,
    }
  }
}

export const isBefore = (a: BufferCell, b: BufferCell): boolean =>
  a.line < b.line || (a.line === b.line && a.column < b.column)
