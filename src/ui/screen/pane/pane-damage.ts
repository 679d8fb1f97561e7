// Which rows of an emulator's screen changed since somebody asked. It keeps that by itself for what bytes do to a screen
// in its place; where lines moved, or another screen began, all of it counts as changed.

import type { Insides } from '../../../core/terminal/xterm-insides.ts'
import type { RowRange } from './pane.ts'

/** More than any screen has: a small integer, as all numbers are that are compared with it in each frame. */
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

  /** Of what the emulator does while `parse` runs. */
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

  /** Its first line; null while the history is in sight instead, whose rows the emulator does not count. */
  #topOfScreen(): object | null {
    const { lines, ybase, ydisp } = this.#insides.buffers.active
    return ybase === ydisp ? (lines.get(ybase) ?? null) : null
  }
}
