// Which cells of the screen may have to be drawn again: for each row, the part from the first such cell to the last.

import type { RowPart } from '../cells/compositor.ts'
import type { Rect, Size } from '../scene.ts'

export class Damage {
  readonly #size: Size
  readonly #from: Uint16Array
  readonly #to: Uint16Array

  /** At first the whole screen. */
  constructor(size: Size) {
    this.#size = size
    this.#from = new Uint16Array(size.rows)
    this.#to = new Uint16Array(size.rows).fill(size.columns)
  }

  add({ x, y, width, height }: Rect): void {
    const { columns, rows } = this.#size
    const left = Math.max(0, x)
    const right = Math.min(columns, x + width)
    if (left >= right) return
    for (let row = Math.max(0, y); row < Math.min(rows, y + height); row++) {
      this.#from[row] = Math.min(this.#from[row] ?? 0, left)
      this.#to[row] = Math.max(this.#to[row] ?? 0, right)
    }
  }

  addAll(): void {
    this.#from.fill(0)
    this.#to.fill(this.#size.columns)
  }

  /** The part of this row to draw, which then counts as drawn; null if there is none. */
  take(y: number): RowPart | null {
    const from = this.#from[y] ?? 0
    const to = this.#to[y] ?? 0
    if (from >= to) return null
    this.#from[y] = this.#size.columns
    this.#to[y] = 0
    return { y, from, to }
  }
}
