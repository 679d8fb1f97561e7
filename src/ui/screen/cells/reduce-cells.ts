// A row of cells as the person's terminal can show it: with fewer colours or none, or in ASCII.

import type { ColourDepth } from '../screen-theme.ts'
import { asciiOf } from './ascii-glyphs.ts'
import {
  BG,
  BLANK,
  CELL_WORDS,
  CLUSTER,
  COLOUR_MASK,
  CONTENT_MASK,
  EXT,
  FG,
  MODE_MASK,
  PALETTE_16,
  RGB,
  WIDTH_SHIFT,
  widthOfContent,
} from './cell.ts'
import type { CellTables } from './cell-tables.ts'
import { lightOf, paletteColour, reduceColour } from './reduce-colour.ts'

export interface Reduction {
  readonly depth: ColourDepth
  readonly ascii: boolean
}

/** Whether there is anything that this terminal cannot show. */
export const reduces = ({ depth, ascii }: Reduction): boolean => ascii || depth !== 'true'

export function reduceRow(words: Uint32Array, reduction: Reduction, tables: CellTables): void {
  if (reduction.ascii) reduceGlyphs(words, tables)
  if (reduction.depth === 'none') dropColours(words, tables)
  else if (reduction.depth !== 'true') reduceColours(words, reduction.depth, tables)
}

function dropColours(words: Uint32Array, tables: CellTables): void {
  for (let at = 0; at < words.length; at += CELL_WORDS) {
    words[at + FG] = (words[at + FG] ?? 0) & ~COLOUR_MASK
    words[at + BG] = (words[at + BG] ?? 0) & ~COLOUR_MASK
    reduceExtra(words, at, { tables, colourOf: () => 0 })
  }
}

function reduceColours(words: Uint32Array, depth: '16' | '256', tables: CellTables): void {
  const reduction = { tables, colourOf: (colour: number): number => reduceColour(colour, depth) }
  let [before, beneath, letter, ground] = [0, 0, 0, 0]
  for (let at = 0; at < words.length; at += CELL_WORDS) {
    const fg = words[at + FG] ?? 0
    const bg = words[at + BG] ?? 0
    // Remembered, because neighbours nearly always look the same.
    if ((fg & COLOUR_MASK) !== before || (bg & COLOUR_MASK) !== beneath) {
      before = fg & COLOUR_MASK
      beneath = bg & COLOUR_MASK
      ;[letter, ground] = keepApart(before, beneath, depth)
    }
    words[at + FG] = (fg & ~COLOUR_MASK) | letter
    words[at + BG] = (bg & ~COLOUR_MASK) | ground
    // A terminal with 16 colours knows neither special underlines nor links.
    if (depth === '16') words[at + EXT] = 0
    else reduceExtra(words, at, reduction)
  }
}

/** If letter and ground have become the same colour, changes the letter so that it stays readable. */
function keepApart(fg: number, bg: number, depth: '16' | '256'): readonly [fg: number, bg: number] {
  const letter = reduceColour(fg, depth)
  const ground = reduceColour(bg, depth)
  if (letter !== ground || fg === bg || ground === 0) return [letter, ground]
  const value = ground & 0xffffff
  const light = lightOf((ground & MODE_MASK) === RGB ? value : paletteColour(value & 255))
  return [PALETTE_16 | (light > 127 ? 0 : 15), ground]
}

interface ExtraReduction {
  readonly tables: CellTables
  readonly colourOf: (colour: number) => number
}

function reduceExtra(words: Uint32Array, at: number, { tables, colourOf }: ExtraReduction): void {
  const id = words[at + EXT] ?? 0
  if (id === 0) return
  const extra = tables.extra(id)
  if (extra.colour === 0) return
  words[at + EXT] = tables.extraId({ ...extra, colour: colourOf(extra.colour) })
}

function reduceGlyphs(words: Uint32Array, tables: CellTables): void {
  for (let at = 0; at < words.length; at += CELL_WORDS) {
    const content = words[at] ?? BLANK
    const code = content & CONTENT_MASK
    if ((content & CLUSTER) === 0 && code < 0x7f) {
      if (widthOfContent(content) !== 0) continue
      words[at] = BLANK
      continue
    }
    const text = (content & CLUSTER) === 0 ? String.fromCodePoint(code) : tables.cluster(code)
    words[at] = (1 << WIDTH_SHIFT) | asciiOf(text).charCodeAt(0)
  }
}
