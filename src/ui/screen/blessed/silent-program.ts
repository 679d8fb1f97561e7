// What blessed takes for its terminal. It has a size and nothing else: blessed only arranges elements, and whatever
// goes to the person's terminal, or comes from it, goes through our own code. Because it has this, blessed reads no
// terminfo, opens no stream, and listens to no signal.

import type { Size } from '../scene.ts'

export class SilentProgram {
  cols: number
  rows: number
  /** Says that the alternate screen is entered already, so that blessed does not try. */
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
