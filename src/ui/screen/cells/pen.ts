// The look of what is written next, changed with as few bytes as possible.

import { BG_FLAGS, COLOUR_MASK, FG_FLAGS, MODE_MASK, PALETTE_16, RGB } from './cell.ts'
import type { CellTables, Extra } from './cell-tables.ts'

const NO_LINK = '\x1b]8;;\x1b\\'

/** The flags of both words in one number: those of fg from bit 0, those of bg from bit 6. */
const FLAG_SHIFT = 26
const fgFlag = (flag: number): number => flag >>> FLAG_SHIFT
const bgFlag = (flag: number): number => (flag >>> FLAG_SHIFT) << 6

/** Underlines are missing here, because they are written together with their style and colour. */
const FLAGS: ReadonlyArray<{ readonly flag: number; readonly on: number; readonly off: number }> = [
  { flag: fgFlag(FG_FLAGS.bold), on: 1, off: 22 },
  { flag: bgFlag(BG_FLAGS.dim), on: 2, off: 22 },
  { flag: bgFlag(BG_FLAGS.italic), on: 3, off: 23 },
  { flag: fgFlag(FG_FLAGS.blink), on: 5, off: 25 },
  { flag: fgFlag(FG_FLAGS.inverse), on: 7, off: 27 },
  { flag: fgFlag(FG_FLAGS.invisible), on: 8, off: 28 },
  { flag: fgFlag(FG_FLAGS.strike), on: 9, off: 29 },
  { flag: bgFlag(BG_FLAGS.overline), on: 53, off: 55 },
]
const ALL_FLAGS = FLAGS.reduce((all, { flag }) => all | flag, 0)
const KEY_SHIFT = 11

/** By the flags before and after. Kept, because some frames change them at every cell. */
const changes = new Map<number, string>()

interface PenState {
  readonly fg: number
  readonly bg: number
  readonly extra: Extra
}

/** A change between cells without extras, which nearly all are, by their words. A frame has few looks, in turn. */
interface KnownChange {
  readonly before: Colours
  readonly after: Colours
  readonly look: string
}

interface Colours {
  readonly fg: number
  readonly bg: number
}

const SLOT_BITS = 9
const SLOT_SHIFT = 32 - SLOT_BITS
/** 32 bits of the golden ratio: multiplying by it spreads differences of lower bits to upper ones. */
const SCATTER = 0x9e3779b1

const scatter = (fg: number, bg: number): number => Math.imul(Math.imul(fg, 31) ^ bg, SCATTER)

const isPair = (known: Colours, fg: number, bg: number): boolean => known.fg === fg && known.bg === bg

export class Pen {
  readonly #tables: CellTables
  readonly #known: (KnownChange | undefined)[] = new Array(1 << SLOT_BITS).fill(undefined)
  #fg = 0
  #bg = 0
  #ext = 0
  #extra: Extra

  constructor(tables: CellTables) {
    this.#tables = tables
    this.#extra = tables.extra(0)
  }

  get plain(): boolean {
    return this.#fg === 0 && this.#bg === 0 && this.#ext === 0
  }

  /** The bytes that make the terminal write with these words of a cell. */
  takeUp(fg: number, bg: number, ext: number): string {
    if (fg === this.#fg && bg === this.#bg && ext === this.#ext) return ''
    return ext === 0 && this.#ext === 0 ? this.#changeSimply(fg, bg) : this.#change(fg, bg, ext)
  }

  #changeSimply(fg: number, bg: number): string {
    const before = { fg: this.#fg, bg: this.#bg }
    const slot = (scatter(before.fg, before.bg) + Math.imul(scatter(fg, bg), 3)) >>> SLOT_SHIFT
    const known = this.#known[slot]
    if (known !== undefined && isPair(known.before, before.fg, before.bg) && isPair(known.after, fg, bg)) {
      this.#fg = fg
      this.#bg = bg
      return known.look
    }
    const look = this.#change(fg, bg, 0)
    this.#known[slot] = { before, after: { fg, bg }, look }
    return look
  }

  #change(fg: number, bg: number, ext: number): string {
    const extra = ext === this.#ext ? this.#extra : this.#tables.extra(ext)
    const before = { fg: this.#fg, bg: this.#bg, extra: this.#extra }
    const link = extra.uri === before.extra.uri ? '' : `\x1b]8;;${extra.uri}\x1b\\`
    const look = changeLook(before, { fg, bg, extra })
    this.#fg = fg
    this.#bg = bg
    this.#ext = ext
    this.#extra = extra
    return link + look
  }

  putDown(): string {
    if (this.plain) return ''
    const link = this.#extra.uri === '' ? '' : NO_LINK
    const look = samePenLook({ fg: 0, bg: 0, extra: this.#tables.extra(0) }, this.#state()) ? '' : '\x1b[m'
    this.#fg = this.#bg = this.#ext = 0
    this.#extra = this.#tables.extra(0)
    return link + look
  }

  #state(): PenState {
    return { fg: this.#fg, bg: this.#bg, extra: this.#extra }
  }
}

function samePenLook(a: PenState, b: PenState): boolean {
  return a.fg === b.fg && a.bg === b.bg && underlineOf(a) === underlineOf(b)
}

/** Either what differs, or everything after a reset: whichever is shorter. */
function changeLook(before: PenState, after: PenState): string {
  if (samePenLook(before, after)) return ''
  const difference = differenceOf(before, after)
  const whole = wholeLook(after)
  return `\x1b[${difference.length <= whole.length ? difference : whole}m`
}

function wholeLook(look: PenState): string {
  const underline = underlineOf(look).replace(/;59$/, '')
  const codes = flagChange(0, flagsOf(look)) + underline + colourCodes(look.fg, 30) + colourCodes(look.bg, 40)
  return codes === '' ? '' : `0${codes}`
}

function differenceOf(before: PenState, after: PenState): string {
  let codes = flagChange(flagsOf(before), flagsOf(after))
  const underline = underlineOf(after)
  if (underline !== underlineOf(before)) codes += underline || ';24;59'
  if (((before.fg ^ after.fg) & COLOUR_MASK) !== 0) codes += colourCodes(after.fg, 30) || ';39'
  if (((before.bg ^ after.bg) & COLOUR_MASK) !== 0) codes += colourCodes(after.bg, 40) || ';49'
  return codes.slice(1)
}

const flagsOf = ({ fg, bg }: PenState): number => (fgFlag(fg) | bgFlag(bg)) & ALL_FLAGS

function flagChange(before: number, after: number): string {
  if (before === after) return ''
  const key = (before << KEY_SHIFT) | after
  const known = changes.get(key)
  if (known !== undefined) return known
  const off = new Set(FLAGS.filter(({ flag }) => (before & ~after & flag) !== 0).map((flag) => flag.off))
  // One code unsets both bold and dim, so the one that stays is set again.
  const on = FLAGS.filter(
    (row) => (after & row.flag) !== 0 && ((before & row.flag) === 0 || off.has(row.off)),
  )
  const codes = [...off, ...on.map((row) => row.on)].map((code) => `;${code}`).join('')
  changes.set(key, codes)
  return codes
}

/** Style and colour are always written together: `4` alone would keep the colour of the underline before. */
function underlineOf({ fg, extra }: PenState): string {
  if ((fg & FG_FLAGS.underline) === 0) return ''
  const style = extra.underline > 1 ? `;4:${extra.underline}` : ';4'
  return style + (extra.colour === 0 ? ';59' : underlineColour(extra.colour))
}

function underlineColour(colour: number): string {
  const value = colour & 0xffffff
  if ((colour & MODE_MASK) !== RGB) return `;58:5:${value & 255}`
  return `;58:2::${value >> 16}:${(value >> 8) & 255}:${value & 255}`
}

/** The sixteen colours stay different from the first sixteen of the palette, because themes treat them differently. */
function colourCodes(word: number, base: 30 | 40): string {
  const mode = word & MODE_MASK
  if (mode === 0) return ''
  const value = word & 0xffffff
  if (mode === RGB) return `;${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`
  const index = value & 255
  if (mode === PALETTE_16) return `;${index < 8 ? base + index : base + 52 + index}`
  return `;${base + 8};5;${index}`
}
