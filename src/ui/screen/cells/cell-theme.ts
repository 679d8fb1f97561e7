// A theme as words of cells: how each meaning looks, on each bar and without one.

import type { Meaning } from '../../text/theme.ts'
import type { Bar } from '../scene.ts'
import type { Colour, ScreenTheme, Style } from '../screen-theme.ts'
import { BG_FLAGS, FG_FLAGS, PALETTE_16, PALETTE_256, RGB } from './cell.ts'

export interface Words {
  readonly fg: number
  readonly bg: number
}

/** How text of each meaning is written in one place; null is text without a meaning. */
export type Ink = (as: Meaning | null) => Words

export class CellTheme {
  readonly ascii: boolean
  readonly plain: Ink
  readonly border: Words
  readonly focusedBorder: Words
  readonly #theme: ScreenTheme
  readonly #onBars = new Map<Bar, Ink>()

  constructor(theme: ScreenTheme) {
    this.#theme = theme
    this.ascii = theme.ascii
    this.plain = this.#inkOn({})
    this.border = styleWords(theme.border)
    this.focusedBorder = styleWords(theme.focusedBorder)
  }

  on(bar: Bar | undefined): Ink {
    if (bar === undefined) return this.plain
    const ink = this.#onBars.get(bar) ?? this.#inkOn(this.#theme.bars[bar])
    this.#onBars.set(bar, ink)
    return ink
  }

  #inkOn(bar: Partial<Style>): Ink {
    const known = new Map<Meaning | null, Words>()
    return (as) => {
      const style = as === null ? this.#theme.plain : this.#theme.meanings[as]
      const words = known.get(as) ?? styleWords({ ...style, ...bar })
      known.set(as, words)
      return words
    }
  }
}

function styleWords(style: Style): Words {
  const { bold, underline, inverse, italic, dim } = style
  return {
    fg:
      colourWord(style.fg) |
      (bold ? FG_FLAGS.bold : 0) |
      (underline ? FG_FLAGS.underline : 0) |
      (inverse ? FG_FLAGS.inverse : 0),
    bg: colourWord(style.bg) | (italic ? BG_FLAGS.italic : 0) | (dim ? BG_FLAGS.dim : 0),
  }
}

/** The first sixteen are the person's own palette. */
function colourWord(colour: Colour): number {
  if (colour === null) return 0
  if ('rgb' in colour) return RGB | colour.rgb
  return (colour.index < 16 ? PALETTE_16 : PALETTE_256) | colour.index
}
