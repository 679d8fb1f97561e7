// An agent's terminal on the stage, in the same emulator as the host's. It answers no question of the program, because
// the host has done so, and a second answer would be typed into the program. So nobody listens to what this emulator
// would say.

import type { Terminal } from '@xterm/headless'
import { loadState } from '../../../core/emulator/emulator-state.ts'
import { type KeyboardModes, trackKeyboard } from '../../../core/emulator/keyboard-modes.ts'
import { openEmulator } from '../../../core/emulator/open-emulator.ts'
import { type Insides, insidesOf } from '../../../core/emulator/xterm-insides.ts'
import { makeVisible } from '../../text/visible.ts'
import type { CellSpan, CellTarget } from '../cells/cell.ts'
import type { Point, Size } from '../scene.ts'
import type { Pane, PaneCursor, PaneFound, PaneModes, PaneView, RowRange } from './pane.ts'
import { copyPaneCells, invertCells } from './pane-cells.ts'
import { PaneDamage } from './pane-damage.ts'
import { type BufferCell, findAll, readPaneRange } from './pane-lines.ts'
import { readModes } from './pane-modes.ts'
import { isBefore, PaneSelection } from './pane-selection.ts'

const SCROLLBACK = 2000
const LONGEST_TITLE = 200
const RESET = Buffer.from('\x18\x1bc')
const FRAME_END = Buffer.from('\x1b[?2026l')

export async function openPane(id: string, size: Size): Promise<Pane> {
  return new EmulatorPane(id, await openEmulator(size, { scrollback: SCROLLBACK }))
}

class EmulatorPane implements Pane, PaneView {
  readonly id: string
  readonly #terminal: Terminal
  readonly #insides: Insides
  readonly #keyboard: KeyboardModes
  readonly #selection: PaneSelection
  readonly #damage: PaneDamage
  readonly #listeners = new Set<() => void>()
  #title = ''
  #sought = ''

  constructor(id: string, terminal: Terminal) {
    this.id = id
    this.#terminal = terminal
    this.#insides = insidesOf(terminal)
    this.#keyboard = trackKeyboard(terminal)
    this.#selection = new PaneSelection(terminal)
    this.#damage = new PaneDamage(this.#insides)
    terminal.onTitleChange((title) => {
      this.#title = makeVisible(title.slice(0, LONGEST_TITLE))
    })
  }

  get view(): PaneView {
    return this
  }

  get size(): Size {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows }
  }

  get title(): string {
    return this.#title
  }

  get modes(): PaneModes {
    return readModes(this.#insides, this.#keyboard)
  }

  get scrolled(): number {
    const { ybase, ydisp } = this.#insides.buffers.active
    return ybase - ydisp
  }

  /**
   * If the bytes hold ends of frames, they are parsed frame by frame, so that each complete frame can be shown before
   * the next.
   */
  write(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let at = buffer.indexOf(FRAME_END); at >= 0; at = buffer.indexOf(FRAME_END, start)) {
      const end = at + FRAME_END.length
      this.#parse(buffer.subarray(start, end))
      start = end
    }
    if (start < buffer.length) this.#parse(buffer.subarray(start))
  }

  load(state: Uint8Array): void {
    this.#selection.clear()
    this.#sought = ''
    loadState({ terminal: this.#terminal, keyboard: this.#keyboard }, state)
    this.#tell()
  }

  reset(): void {
    this.#selection.clear()
    this.#title = ''
    this.#sought = ''
    this.#parse(RESET)
  }

  resize({ columns, rows }: Size): void {
    if (columns === this.#terminal.cols && rows === this.#terminal.rows) return
    this.#selection.clear()
    this.#terminal.resize(Math.max(1, columns), Math.max(1, rows))
    this.#tell()
  }

  scroll(lines: number): void {
    this.#terminal.scrollLines(-lines)
    this.#tell()
  }

  scrollToEnd(): void {
    if (this.scrolled === 0) return
    this.#terminal.scrollToBottom()
    this.#tell()
  }

  select(range: { readonly from: Point; readonly to: Point } | null): void {
    if (range === null) this.#selection.clear()
    else this.#selection.set({ from: this.#bufferCell(range.from), to: this.#bufferCell(range.to) })
    this.#tell()
  }

  selectedText(): string {
    const range = this.#selection.range
    return range === null ? '' : readPaneRange(this.#terminal.buffer.active, range)
  }

  find(text: string, direction: 'older' | 'newer'): PaneFound | null {
    const found = text === '' ? [] : findAll(this.#terminal.buffer.active, text)
    const index = this.#nextOf(found, text, direction)
    const match = found[index]
    this.#sought = text
    this.#selection.clear()
    if (match !== undefined) {
      this.#selection.set(match)
      this.#bringIntoSight(match.from.line)
    }
    this.#tell()
    return match === undefined ? null : { at: index + 1, of: found.length }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  dispose(): void {
    this.#listeners.clear()
    this.#terminal.dispose()
  }

  get midFrame(): boolean {
    return this.#insides.coreService.decPrivateModes.synchronizedOutput
  }

  get cursor(): PaneCursor | null {
    const { isCursorHidden, decPrivateModes } = this.#insides.coreService
    const { x: column, y: line } = this.#insides.buffers.active
    const y = line + this.scrolled
    if (isCursorHidden || y >= this.#terminal.rows) return null
    // After the last column the cursor waits to wrap.
    return { x: Math.min(column, this.#terminal.cols - 1), y, shape: cursorShape(decPrivateModes) }
  }

  copyCells(span: CellSpan, target: CellTarget): void {
    copyPaneCells(this.#insides, span, target)
    if (this.#selection.isEmpty) return
    const line = this.#insides.buffers.active.ydisp + span.row
    const selected = this.#selection.columnsOf(line, this.#terminal.cols)
    if (selected === null) return
    const first = Math.max(selected.first, span.column)
    const last = Math.min(selected.last, span.column + span.count - 1)
    invertCells(target.words, target.at + first - span.column, Math.max(0, last - first + 1))
  }

  takeDamage(): RowRange {
    return this.#damage.take()
  }

  #parse(bytes: Uint8Array): void {
    this.#damage.during(() => this.#insides.writeSync(bytes))
    this.#notify()
  }

  /** Says that anything of it may look different now. */
  #tell(): void {
    this.#damage.addAll()
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #bufferCell({ x, y }: Point): BufferCell {
    const row = Math.min(Math.max(0, y), this.#terminal.rows - 1)
    const column = Math.min(Math.max(0, x), this.#terminal.cols - 1)
    return { line: this.#insides.buffers.active.ydisp + row, column }
  }

  /** Counts from the selected match. Without one, or after another search, it begins with the newest. */
  #nextOf(found: readonly { from: BufferCell }[], text: string, direction: 'older' | 'newer'): number {
    const here = text === this.#sought ? this.#selection.range?.from : undefined
    if (here === undefined) return 0
    if (direction === 'newer')
      return Math.max(
        0,
        found.findLastIndex(({ from }) => isBefore(here, from)),
      )
    const older = found.findIndex(({ from }) => isBefore(from, here))
    return older < 0 ? found.length - 1 : older
  }

  #bringIntoSight(line: number): void {
    const { ydisp } = this.#insides.buffers.active
    const { rows } = this.#terminal
    if (line >= ydisp && line < ydisp + rows) return
    this.#terminal.scrollToLine(Math.max(0, line - Math.floor(rows / 2)))
  }
}

function cursorShape({ cursorStyle, cursorBlink }: Insides['coreService']['decPrivateModes']): number {
  if (cursorStyle === undefined) return 0
  const steady = { block: 2, underline: 4, bar: 6 }[cursorStyle]
  return cursorBlink === true ? steady - 1 : steady
}
