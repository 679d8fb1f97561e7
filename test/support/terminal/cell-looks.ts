// What is in each cell of a terminal and how it looks, down to the colour of an underline. Also tells where two differ.

import type { IBufferCell, Terminal } from '@xterm/headless'
import { type CellLook, insidesOf } from '../../../src/core/emulator/xterm-insides.ts'
import { safeUri } from '../../../src/ui/screen/cells/safe-text.ts'
import type { Rect } from '../../../src/ui/screen/scene.ts'

export interface Comparison {
  readonly inner: Terminal
  readonly outer: Terminal
  /** Where the inner screen is on the outer one. */
  readonly place: Rect
  readonly covered?: readonly Rect[]
}

/** Describes the first cells that differ; empty if all are the same. */
export function wrongCells({ inner, outer, place, covered = [] }: Comparison): string[] {
  const is = looksOf(outer, place)
  const should = looksOf(inner, { x: 0, y: 0, width: place.width, height: place.height })
  const wrong = should.flatMap((looks, y) =>
    looks.flatMap((look, x) => {
      const under = covered.some((rect) => touches(rect, place.x + x, place.y + y))
      return look === is[y]?.[x] || under ? [] : [`${x},${y}: is ${is[y]?.[x]}, should be ${look}`]
    }),
  )
  return wrong.slice(0, 5)
}

/** Cells of the place that are outside of the screen are left out. */
export function looksOf(terminal: Terminal, { x, y, width, height }: Rect): string[][] {
  const { active } = terminal.buffer
  return Array.from({ length: Math.min(height, terminal.rows - y) }, (_, row) => {
    const line = active.getLine(active.viewportY + y + row)
    return Array.from({ length: Math.min(width, terminal.cols - x) }, (_, column) => {
      const cell = line?.getCell(x + column)
      const half = cell?.getWidth() === 0 && line?.getCell(x + column - 1)?.getWidth() === 2
      return half || cell === undefined ? 'behind' : lookOf(cell, terminal)
    })
  })
}

/** Includes one cell on both sides, because half of a wide character there becomes a blank. */
const touches = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x - 1 && x <= rect.x + rect.width && y >= rect.y && y < rect.y + rect.height

function lookOf(cell: IBufferCell, terminal: Terminal): string {
  const flags = [
    cell.isBold(),
    cell.isDim(),
    cell.isItalic(),
    cell.isBlink(),
    cell.isInverse(),
    cell.isInvisible(),
    cell.isStrikethrough(),
    cell.isOverline(),
  ]
  return [
    // Some programs leave half of a wide character alone. That half is a blank.
    JSON.stringify(cell.getChars() || ' '),
    Math.max(1, cell.getWidth()),
    `fg ${cell.isFgDefault() ? '-' : (cell.getFgColorMode() | cell.getFgColor()).toString(16)}`,
    `bg ${cell.isBgDefault() ? '-' : (cell.getBgColorMode() | cell.getBgColor()).toString(16)}`,
    flags.map((flag) => (flag ? 1 : 0)).join(''),
    ...underlineAndLink(cell as unknown as CellLook, terminal),
  ].join(' ')
}

const UNDERLINE = 0x10000000
const STYLE_SHIFT = 26
/** All bits of a colour are set after a program has given the colour back. */
const COLOUR = 0x3ffffff
const RGB = 0x3000000

function underlineAndLink(look: CellLook, terminal: Terminal): string[] {
  const { urlId, _ext } = look.extended
  const link = urlId === 0 ? undefined : insidesOf(terminal)._oscLinkService.getLinkData(urlId)
  const uri = safeUri(link?.uri ?? '')
  if ((look.fg & UNDERLINE) === 0) return [uri]
  const colour = look.hasExtendedAttrs() ? underlineColour(_ext & COLOUR) : 0
  return [`underline ${Math.max(1, (_ext >> STYLE_SHIFT) & 7)} ${colour.toString(16)}`, uri]
}

/** For a colour of the palette, the emulator leaves old bits above its index. */
function underlineColour(colour: number): number {
  if (colour === COLOUR) return 0
  return (colour & RGB) === RGB ? colour : (colour & RGB) | (colour & 255)
}
