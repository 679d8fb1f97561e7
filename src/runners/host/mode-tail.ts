// What the serialize addon leaves out of a screen: saved cursor, tab stops, scroll region, cursor's look, mouse encoding,
// character set, a frame in the making. Not carried: curly underlines, links and the colours of a saved cursor.

import type { Terminal } from '@xterm/headless'

export interface XtermInsides {
  readonly coreService: {
    readonly isCursorHidden: boolean
    readonly decPrivateModes: {
      readonly cursorStyle?: 'block' | 'underline' | 'bar'
      readonly cursorBlink?: boolean
    }
  }
  readonly coreMouseService: { readonly activeEncoding: string }
  readonly buffer: {
    readonly scrollTop: number
    readonly scrollBottom: number
    readonly savedX: number
    readonly savedY: number
    readonly ybase: number
    readonly tabs: Readonly<Record<string, boolean>>
  }
  readonly _charsetService: {
    readonly glevel: number
    readonly _charsets: readonly (Readonly<Record<string, string>> | undefined)[]
  }
}

/** To be written before the screen's content: it moves the cursor, which the content then puts in its place. */
export function placesBefore(terminal: Terminal, { buffer }: XtermInsides): string {
  const stops = Object.keys(buffer.tabs).map(Number)
  const usual = stops.every((stop) => stop % 8 === 0) && stops.length >= Math.floor((terminal.cols - 1) / 8)
  const tabs = usual ? '' : `\x1b[3g${stops.map((stop) => `\x1b[1;${stop + 1}H\x1bH`).join('')}\x1b[H`
  if (terminal.buffer.active.type === 'alternate') return tabs
  const savedRow = Math.max(0, buffer.savedY - buffer.ybase)
  const saved = savedRow === 0 && buffer.savedX === 0
  return saved ? tabs : `${tabs}\x1b[${savedRow + 1};${buffer.savedX + 1}H\x1b7\x1b[H`
}

/** To be written behind content and modes. */
export function modesBehind(terminal: Terminal, insides: XtermInsides): string {
  return [
    regionAndCursor(terminal, insides),
    charset(insides),
    insides.coreMouseService.activeEncoding === 'SGR' ? '\x1b[?1006h' : '',
    insides.coreMouseService.activeEncoding === 'SGR_PIXELS' ? '\x1b[?1016h' : '',
    cursorLook(insides),
    insides.coreService.isCursorHidden ? '\x1b[?25l' : '',
    terminal.modes.synchronizedOutputMode ? '\x1b[?2026h' : '',
  ].join('')
}

/** Setting a region or origin mode sends the cursor home, so it is put back. */
function regionAndCursor(terminal: Terminal, { buffer }: XtermInsides): string {
  const whole = buffer.scrollTop === 0 && buffer.scrollBottom === terminal.rows - 1
  const origin = terminal.modes.originMode
  if (whole && !origin) return ''
  const region = whole ? '' : `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`
  const { cursorX, cursorY } = terminal.buffer.active
  const row = cursorY - (origin ? buffer.scrollTop : 0)
  return `${region}\x1b[${row + 1};${Math.min(cursorX, terminal.cols - 1) + 1}H`
}

/** Line drawing is the one set in use; `q` is its horizontal line. */
function charset({ _charsetService }: XtermInsides): string {
  const drawing = (set: number): boolean => _charsetService._charsets[set]?.['q'] === '─'
  const sets = (drawing(0) ? '\x1b(0' : '') + (drawing(1) ? '\x1b)0' : '')
  return _charsetService.glevel === 1 ? `${sets}\x0e` : sets
}

function cursorLook({ coreService }: XtermInsides): string {
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes
  if (cursorStyle === undefined) return ''
  const steady = { block: 2, underline: 4, bar: 6 }[cursorStyle]
  return `\x1b[${cursorBlink ? steady - 1 : steady} q`
}
