// Which rows of an emulator's screen have changed since somebody asked. The emulator itself tracks rows that bytes
// change in place. If lines have moved, or another screen has begun, everything counts as changed.

import type { Insides } from '../../../core/emulator/xterm-insides.ts'
import type { RowRange } from './pane.ts'

/** Larger than any row number. A small integer, because in every frame it is compared with others. */
const NO_ROW = 0xffff

export class PaneDamage {
  readonly #insides: Insides
  #from = 0
  #to = NO_ROW

  constructor(insides: Insides) {
    this.#insides = insides
  }

  addAll(): void {
    this.#from = 0
    this.#to = NO_ROW
  }

  /** Notes what the emulator does while `parse` runs. */
  during(parse: () => void): void {
    const top = this.#topOfScreen()
    parse()
    if (top === null || this.#topOfScreen() !== top) {
      this.addAll()
      return
    }
    const { start, end } = this.#insides._inputHandler._dirtyRowTracker
    this.#from = Math.min(this.#from, start)
    this.#to = Math.max(this.#to, end + 1)
  }

  take(): RowRange {
    const range = { from: this.#from, to: this.#to }
    this.#from = NO_ROW
    this.#to = 0
    return range
  }

  /**
   * The first line of the screen. null while the history is visible instead, because the emulator does not track its
   * rows.
   */
  #topOfScreen(): object | null {
    const { lines, ybase, ydisp } = this.#insides.buffers.active
    return ybase === ydisp ? (lines.get(ybase) ?? null) : null
  }
}
