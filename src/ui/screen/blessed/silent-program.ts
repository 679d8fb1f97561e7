// What blessed believes to be its terminal. It has a size and nothing else: blessed arranges elements, and what reaches
// the person's terminal or comes from it passes through our own hands only. Without one of its own programs blessed
// reads no terminfo, opens no stream, and listens to no signal.

import type { Size } from '../scene.ts'

export class SilentProgram {
  cols: number
  rows: number
  /** As if the alternate screen were entered already, so that blessed does not try. */
  readonly isAlt = true
  readonly options = {}
  readonly tput = { unicode: true, numbers: {}, strings: {}, features: {} }

  constructor(size: Size) {
    this.cols = size.columns
    this.rows = size.rows
  }

  setupTput(): void {}
  on(): void {}
  clear(): void {}
}
