// The cells of an emulator's screen as cells of ours. Both have the same layout of words (drawn in cells/cell.ts), so
// most are just copied; only what does not fit into a word is looked up.

import type { InnerLine, Insides } from '../../../core/emulator/xterm-insides.ts'
import {
  BG,
  BG_WORD,
  BLANK,
  CELL_WORDS,
  type CellSpan,
  type CellTarget,
  CLUSTER,
  COLOUR_MASK,
  CONTENT_MASK,
  EXT,
  FG,
  FG_FLAGS,
  fillBlank,
  WIDTH_SHIFT,
} from '../cells/cell.ts'
import type { CellTables } from '../cells/cell-tables.ts'
import { isTurning, safeUri } from '../cells/safe-text.ts'

/** Words of a cell in the emulator. */
const INNER_WORDS = 3
const HAS_EXTENDED = 1 << 28
const UNDERLINE_STYLE_SHIFT = 26

export function copyPaneCells(insides: Insides, { row, column, count }: CellSpan, target: CellTarget): void {
  const { lines, ydisp } = insides.buffers.active
  const there = row >= 0 && column >= 0 && ydisp + row < lines.length
  const line = there ? lines.get(ydisp + row) : undefined
  const inside = line === undefined ? 0 : Math.max(0, Math.min(count, line.length - column))
  if (line !== undefined) copyLine({ line, column, count: inside }, target, extrasOf(insides, target.tables))
  fillBlank(target.words, target.at + inside, count - inside)
}

interface Part {
  readonly line: InnerLine
  readonly column: number
  readonly count: number
}

type Extras = (extended: InnerLine['_extendedAttrs'][number] | undefined) => number

function copyLine({ line, column, count }: Part, { words, at, tables }: CellTarget, extraId: Extras): void {
  let from = column * INNER_WORDS
  let to = at * CELL_WORDS
  for (let cell = column; cell < column + count; cell++, from += INNER_WORDS, to += CELL_WORDS) {
    const content = line._data[from] ?? BLANK
    const ground = line._data[from + BG] ?? 0
    words[to] = (content & CLUSTER) === 0 ? singleContent(content) : clusterContent(line, cell, tables)
    words[to + FG] = line._data[from + FG] ?? 0
    words[to + BG] = ground & BG_WORD
    words[to + EXT] = (ground & HAS_EXTENDED) === 0 ? 0 : extraId(line._extendedAttrs[cell])
  }
}

/** A cell that was never written to has no code. The cell behind a wide character has no width. */
function singleContent(content: number): number {
  const code = content & CONTENT_MASK
  if (code === 0 || isTurning(code)) return content >>> WIDTH_SHIFT === 0 ? 0 : BLANK
  return content
}

function clusterContent(line: InnerLine, cell: number, tables: CellTables): number {
  const width = (line._data[cell * INNER_WORDS] ?? BLANK) >>> WIDTH_SHIFT
  return width === 0 ? 0 : (width << WIDTH_SHIFT) | CLUSTER | tables.clusterId(line._combined[cell] ?? ' ')
}

/** Keeps the last answer, because neighbours mostly have the same extras. */
function extrasOf({ _oscLinkService }: Insides, tables: CellTables): Extras {
  let last: Parameters<Extras>[0]
  let id = 0
  return (extended) => {
    if (extended === last || extended === undefined) return extended === undefined ? 0 : id
    const colour = extended._ext & COLOUR_MASK
    last = extended
    id = tables.extraId({
      underline: (extended._ext >> UNDERLINE_STYLE_SHIFT) & 7,
      // The emulator sets all bits to say that the underline has no colour of its own.
      colour: colour === COLOUR_MASK ? 0 : colour,
      uri: safeUri(extended.urlId === 0 ? '' : (_oscLinkService.getLinkData(extended.urlId)?.uri ?? '')),
    })
    return id
  }
}

/** Swaps letter and ground. On text that is inverted already, swapping again makes the selection visible, too. */
export function invertCells(words: Uint32Array, from: number, count: number): void {
  for (let at = from * CELL_WORDS + FG; at < (from + count) * CELL_WORDS; at += CELL_WORDS) {
    words[at] = (words[at] ?? 0) ^ FG_FLAGS.inverse
  }
}
