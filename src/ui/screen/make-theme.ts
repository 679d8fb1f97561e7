// The dashboard's colours. Those of 24 bits are used with 256 colours too: the canvas takes the nearest. With 16, the
// person's own palette decides the shades. Without colours, bold and inverse text show what must be seen.

import type { Meaning } from '../text/theme.ts'
import type { Bar } from './scene.ts'
import type { Colour, ColourDepth, ScreenTheme, Style } from './screen-theme.ts'

export interface ThemeChoice {
  readonly depth: ColourDepth
  readonly background: 'dark' | 'light'
  readonly ascii: boolean
}

type Hue = 'accent' | 'cyan' | 'amber' | 'green' | 'red' | 'violet' | 'orange' | 'grey' | 'line'
type Hues = Readonly<Record<Hue, Partial<Style>>>
type Bars = Readonly<Record<Bar, Partial<Style>>>

const PLAIN: Style = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
}

export function makeTheme({ depth, background, ascii }: ThemeChoice): ScreenTheme {
  const hues = HUES[huesFor(depth)][background]
  const style = (hue: Hue): Style => ({ ...PLAIN, ...hues[hue] })
  return {
    depth,
    ascii,
    plain: PLAIN,
    border: style('line'),
    focusedBorder: depth === 'none' ? { ...PLAIN, bold: true } : style('accent'),
    meanings: meaningsOf(style),
    bars: BARS[depth][background],
  }
}

const meaningsOf = (style: (hue: Hue) => Style): Readonly<Record<Meaning, Style>> => ({
  working: style('cyan'),
  needs_you: style('amber'),
  ready: style('green'),
  failed: style('red'),
  landed: style('violet'),
  idle: style('grey'),
  accent: style('accent'),
  strong: { ...PLAIN, bold: true },
  dim: style('grey'),
  added: style('green'),
  removed: style('red'),
  key: { ...PLAIN, bold: true },
  match: { ...PLAIN, inverse: true },
  syntax_keyword: style('violet'),
  syntax_string: style('green'),
  syntax_number: style('orange'),
  syntax_comment: style('grey'),
  syntax_type: style('cyan'),
  syntax_function: style('accent'),
})

const huesFor = (depth: ColourDepth): keyof typeof HUES => (depth === '256' ? 'true' : depth)

const rgb = (value: number): { fg: Colour } => ({ fg: { rgb: value } })
const index = (value: number): { fg: Colour } => ({ fg: { index: value } })
const DIM = { dim: true }
const NO_HUES: Hues = {
  accent: { bold: true },
  cyan: {},
  amber: { bold: true },
  green: {},
  red: { bold: true },
  violet: {},
  orange: {},
  grey: DIM,
  line: DIM,
}

const HUES = {
  true: {
    dark: {
      accent: rgb(0x7aa2f7),
      cyan: rgb(0x5fb8b8),
      amber: rgb(0xe0af68),
      green: rgb(0x8fc76f),
      red: rgb(0xe86f7b),
      violet: rgb(0xb294d6),
      orange: rgb(0xd19a66),
      grey: rgb(0x868b95),
      line: rgb(0x4b5058),
    },
    light: {
      accent: rgb(0x2459c4),
      cyan: rgb(0x0b7285),
      amber: rgb(0x955800),
      green: rgb(0x2b7a2b),
      red: rgb(0xc02632),
      violet: rgb(0x7a3eb1),
      orange: rgb(0xa5480b),
      grey: rgb(0x6b7078),
      line: rgb(0xb4b8bf),
    },
  },
  '16': {
    dark: {
      accent: index(12),
      cyan: index(6),
      amber: index(3),
      green: index(2),
      red: index(1),
      violet: index(5),
      orange: index(3),
      grey: DIM,
      line: DIM,
    },
    // Yellow and cyan are hard to read on white with most palettes.
    light: {
      accent: index(4),
      cyan: index(4),
      amber: index(5),
      green: index(2),
      red: index(1),
      violet: DIM,
      orange: index(5),
      grey: DIM,
      line: DIM,
    },
  },
  none: { dark: NO_HUES, light: NO_HUES },
} as const satisfies Readonly<Record<string, { readonly dark: Hues; readonly light: Hues }>>

const ground = (colour: Colour, letters?: Colour): Partial<Style> =>
  letters === undefined ? { bg: colour } : { bg: colour, fg: letters, dim: false }

const PLAIN_BARS: Bars = { selected: { inverse: true }, unfocused: { bold: true }, added: {}, removed: {} }

/** With 16 colours no letter is readable on every ground, so a bar sets both. */
const BARS: Readonly<Record<ColourDepth, { readonly dark: Bars; readonly light: Bars }>> = {
  true: {
    dark: {
      selected: ground({ rgb: 0x2b3a5c }),
      unfocused: ground({ rgb: 0x2c2f36 }),
      added: ground({ rgb: 0x16301f }),
      removed: ground({ rgb: 0x3a1d22 }),
    },
    light: {
      selected: ground({ rgb: 0xd3e0fa }),
      unfocused: ground({ rgb: 0xe6e8ec }),
      added: ground({ rgb: 0xdff3e0 }),
      removed: ground({ rgb: 0xfbe3e4 }),
    },
  },
  '256': {
    dark: {
      selected: ground({ index: 238 }),
      unfocused: ground({ index: 235 }),
      added: ground({ index: 22 }),
      removed: ground({ index: 52 }),
    },
    light: {
      selected: ground({ index: 189 }),
      unfocused: ground({ index: 254 }),
      added: ground({ index: 194 }),
      removed: ground({ index: 224 }),
    },
  },
  '16': {
    dark: {
      selected: ground({ index: 4 }, { index: 15 }),
      unfocused: ground({ index: 8 }, { index: 15 }),
      added: {},
      removed: {},
    },
    light: {
      selected: ground({ index: 4 }, { index: 15 }),
      unfocused: ground({ index: 7 }, { index: 0 }),
      added: {},
      removed: {},
    },
  },
  none: { dark: PLAIN_BARS, light: PLAIN_BARS },
}
