// The dashboard's colours by meaning, for dark and light terminals with any number of colours, or none.

import type { Meaning } from '../text/theme.ts'
import type { Bar } from './scene.ts'

export type ColourDepth = 'none' | '16' | '256' | 'true'

/** An index of the 16 or 256 colours, or 24 bits; null is the terminal's own. */
export type Colour = { readonly index: number } | { readonly rgb: number } | null

export interface Style {
  readonly fg: Colour
  readonly bg: Colour
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
}

export interface ScreenTheme {
  /** What agents print is reduced to this, too. */
  readonly depth: ColourDepth
  readonly plain: Style
  readonly border: Style
  readonly focusedBorder: Style
  readonly meanings: Readonly<Record<Meaning, Style>>
  /** What a bar changes in the styles on it. */
  readonly bars: Readonly<Record<Bar, Partial<Style>>>
  /** Frames and glyphs of ASCII only. */
  readonly ascii: boolean
}
