// Where the emulator takes a sequence for something else than terminals do. Both the host's and the panes' are mended,
// so that they stay the same.

import type { Terminal } from '@xterm/headless'
import { textBefore } from './mend-marks.ts'
import type { CellLook, InnerParams, Insides } from './xterm-insides.ts'

const RGB_MODE = 2
/** `2:R:G:B` after the 38, 48 or 58. With a colour space there is one more. */
const RGB_PARTS = 4

/** The colours of `38:2:R:G:B`, as many editors send it. The emulator would take R for the number of a colour space. */
export function mendColours({ _inputHandler: handler }: Insides): void {
  const extract = handler._extractColor
  handler._extractColor = (params, at, look) => {
    const parts = params.getSubParams(at)
    if (parts?.length !== RGB_PARTS || parts[0] !== RGB_MODE) return extract.call(handler, params, at, look)
    const [, red = 0, green = 0, blue = 0] = [...parts].map((part) => Math.max(0, part))
    const mix = (before: number): number => handler._updateAttrColor(before, RGB_MODE, red, green, blue)
    colourOf(params.params[at] ?? 0, look, mix)
    return 0
  }
}

function colourOf(target: number, look: CellLook, mix: (before: number) => number): void {
  if (target === 38) look.fg = mix(look.fg)
  else if (target === 48) look.bg = mix(look.bg)
  else {
    look.extended = look.extended.clone()
    look.extended._ext = mix(look.extended._ext)
  }
}

/** A full reset ends these modes too, which the emulator leaves as they are. */
export function mendReset(terminal: Terminal, { coreService, optionsService }: Insides): void {
  terminal.parser.registerEscHandler({ final: 'c' }, () => {
    coreService.isCursorHidden = false
    optionsService.options.convertEol = false
    optionsService.options.cursorBlink = false
    return false
  })
}

/**
 * Erasing up to the last column: the emulator looks for the next line at a wrong place, and throws where there is none.
 */
export function mendErasing(insides: Insides): void {
  const handler = insides._inputHandler
  const register = (prefix: { readonly prefix?: string }, sparing: boolean): void =>
    handler.registerCsiHandler({ ...prefix, final: 'J' }, (params) => {
      const { x } = insides.buffers.active
      if (params.params[0] !== 1 || x < insides.cols - 1) return false
      eraseAbove(insides, sparing)
      return true
    })
  register({}, false)
  register({ prefix: '?' }, true)
}

/** With the whole row of the cursor. */
function eraseAbove({ _inputHandler: handler, buffers, cols }: Insides, sparing: boolean): void {
  handler._restrictCursor(cols)
  const { y, ybase, lines } = buffers.active
  handler._eraseInBufferLine(y, 0, cols, true, sparing)
  const next = lines.get(ybase + y + 1)
  if (y + 1 < lines.length - ybase && next !== undefined) next.isWrapped = false
  for (let row = 0; row < y; row++) handler._resetBufferLine(row, sparing)
  handler.markRangeDirty(0, y)
}

/** Sequences that do something to each line as often as their number says, in a loop. */
const OF_LINES = ['L', 'M', 'S', 'T']
/** Sequences that jump from one tab stop to the next as often as their number says. */
const OF_TABS = ['I', 'Z']
/** More than a person can tell from more. */
const OFTEN_ENOUGH = 10_000

/** No number of a sequence keeps the emulator busy for long: once every line is empty, nothing more happens. */
export function mendRepeating(insides: Insides): void {
  const { _inputHandler: handler, buffers } = insides
  const limit = (final: string, often: () => number): void => {
    handler.registerCsiHandler({ final }, limitRepeats(often))
  }
  for (const final of OF_LINES) limit(final, () => insides.rows)
  for (const final of OF_TABS) limit(final, () => insides.cols)
  // A character that is repeated may be of many marks, and each of them takes its time.
  limit('b', () => OFTEN_ENOUGH / Math.max(1, textBefore(buffers.active).length))
}

const limitRepeats =
  (limit: () => number) =>
  ({ params }: InnerParams): boolean => {
    params[0] = Math.min(params[0] ?? 0, Math.ceil(limit()))
    return false
  }
