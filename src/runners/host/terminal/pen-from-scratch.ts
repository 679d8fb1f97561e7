// How something is drawn, as the sequence that makes a terminal draw so: always the whole look, never a difference.
// Pure.

import type { CellLook, Insides } from '../../../core/emulator/xterm-insides.ts'

/** The colour modes of xterm's cells. */
const PALETTE_16 = 0x1000000
const PALETTE_256 = 0x2000000
const RGB = 0x3000000
const UNDERLINE = 0x10000000
/** In the background word. */
const PROTECTED = 0x20000000
/** Some terminals protect until they are told otherwise, some until the next reset of the look. */
export const PROTECT = '\x1b[1"q'
export const UNPROTECT = '\x1b[0"q'

export function penOf(look: CellLook): string {
  const codes: (number | string)[] = [0]
  if (look.isBold()) codes.push(1)
  if (look.isDim()) codes.push(2)
  if (look.isItalic()) codes.push(3)
  const underlined = (look.fg & UNDERLINE) !== 0
  const style = (look.extended._ext >> 26) & 7
  if (underlined) codes.push(style > 1 ? `4:${style}` : 4)
  if (look.isBlink()) codes.push(5)
  if (look.isInverse()) codes.push(7)
  if (look.isInvisible()) codes.push(8)
  if (look.isStrikethrough()) codes.push(9)
  if (look.isOverline()) codes.push(53)
  codes.push(...absoluteColourCodes(look.getFgColorMode(), look.getFgColor(), 30))
  codes.push(...absoluteColourCodes(look.getBgColorMode(), look.getBgColor(), 40))
  if (underlined && look.hasExtendedAttrs()) {
    codes.push(...absoluteUnderline(look.getUnderlineColorMode(), look.getUnderlineColor()))
  }
  const colours = codes.length === 1 ? NO_PEN : `\x1b[${codes.join(';')}m`
  return (look.bg & PROTECTED) === 0 ? colours : colours + PROTECT
}

/** Whether it shows on a cell without a character. A background does too, but that can be erased into the cell. */
export const marksBlanks = (look: CellLook): boolean =>
  (look.fg & UNDERLINE) !== 0 || Boolean(look.isInverse() || look.isStrikethrough() || look.isOverline())

/** The sixteen colours stay different from the first sixteen of the palette, because themes treat them differently. */
function absoluteColourCodes(mode: number, colour: number, base: 30 | 40): number[] {
  if (mode === PALETTE_16) return [colour < 8 ? base + colour : base + 60 + colour - 8]
  if (mode === PALETTE_256) return [base + 8, 5, colour]
  if (mode === RGB) return [base + 8, 2, colour >> 16, (colour >> 8) & 255, colour & 255]
  return []
}

function absoluteUnderline(mode: number, colour: number): string[] {
  if (mode === PALETTE_16 || mode === PALETTE_256) return [`58:5:${colour}`]
  return mode === RGB ? [`58:2::${colour >> 16}:${(colour >> 8) & 255}:${colour & 255}`] : []
}

/** Pen and link for what is written after text without a link. */
export function brushOf(look: CellLook, insides: Insides): string {
  const link = linkOf(look, insides)
  return link === LINK_END ? penOf(look) : penOf(look) + link
}

/** Opens the link that the look has, or closes the one before. */
export function linkOf(look: CellLook, { _oscLinkService }: Insides): string {
  const link = look.hasExtendedAttrs() ? _oscLinkService.getLinkData(look.extended.urlId) : undefined
  const id = link?.id === undefined ? '' : `id=${link.id}`
  return `\x1b]8;${id};${link?.uri ?? ''}\x1b\\`
}

export const NO_PEN = '\x1b[m'
export const LINK_END = '\x1b]8;;\x1b\\'
