// The modes of a terminal, as the sequences that set them on a reset one.

import type { Terminal } from '@xterm/headless'
import { charsetLetter } from '../../../core/emulator/charsets.ts'
import { type Insides, insidesOf } from '../../../core/emulator/xterm-insides.ts'

/** Modes that move the cursor. To be written after the content and before the cursor is put in its place. */
export function drawMovingModes(terminal: Terminal): string {
  const { tabs, scrollTop, scrollBottom } = insidesOf(terminal).buffers.active
  const whole = scrollTop === 0 && scrollBottom === terminal.rows - 1
  return [
    drawTabs(Object.keys(tabs).map(Number), terminal.cols),
    whole ? '' : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`,
    terminal.modes.originMode ? '\x1b[?6h' : '',
  ].join('')
}

/** To be written last. */
export function drawModes(terminal: Terminal): string {
  const { modes } = terminal
  const insides = insidesOf(terminal)
  const mouse = { none: '', x10: '\x1b[?9h', vt200: '\x1b[?1000h', drag: '\x1b[?1002h', any: '\x1b[?1003h' }
  return [
    modes.applicationCursorKeysMode ? '\x1b[?1h' : '',
    modes.applicationKeypadMode ? '\x1b[?66h' : '',
    modes.bracketedPasteMode ? '\x1b[?2004h' : '',
    modes.insertMode ? '\x1b[4h' : '',
    insides.optionsService.options.convertEol ? '\x1b[20h' : '',
    modes.reverseWraparoundMode ? '\x1b[?45h' : '',
    modes.sendFocusMode ? '\x1b[?1004h' : '',
    modes.wraparoundMode ? '' : '\x1b[?7l',
    mouse[modes.mouseTrackingMode],
    insides.coreMouseService.activeEncoding === 'SGR' ? '\x1b[?1006h' : '',
    insides.coreMouseService.activeEncoding === 'SGR_PIXELS' ? '\x1b[?1016h' : '',
    drawCharset(insides),
    drawCursorLook(insides),
    insides.coreService.isCursorHidden ? '\x1b[?25l' : '',
    modes.synchronizedOutputMode ? '\x1b[?2026h' : '',
  ].join('')
}

function drawTabs(stops: readonly number[], columns: number): string {
  const usual = stops.every((stop) => stop % 8 === 0) && stops.length >= Math.floor((columns - 1) / 8)
  return usual ? '' : `\x1b[3g${stops.map((stop) => `\x1b[1;${stop + 1}H\x1bH`).join('')}`
}

const SLOTS = ['(', ')', '*', '+']
/** Which slot is in use. */
const SHIFTS = ['', '\x0e', '\x1bn', '\x1bo']

function drawCharset(insides: Insides): string {
  const { glevel, charset, _charsets } = insides._charsetService
  const chosen = SLOTS.map((slot, index) => {
    const letter = charsetLetter(insides, index === glevel ? charset : _charsets[index])
    return letter === 'B' ? '' : `\x1b${slot}${letter}`
  })
  return chosen.join('') + (SHIFTS[glevel] ?? '')
}

function drawCursorLook({ coreService }: Insides): string {
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes
  if (cursorStyle === undefined) return ''
  const steady = { block: 2, underline: 4, bar: 6 }[cursorStyle]
  return `\x1b[${cursorBlink ? steady - 1 : steady} q`
}
