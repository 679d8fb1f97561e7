// The emulator that knows what a headed runner's screen looks like, so that whoever joins sees it at once.

import { takeState } from '../../../core/emulator/emulator-state.ts'
import { openEmulator } from '../../../core/emulator/open-emulator.ts'
import { insidesOf } from '../../../core/emulator/xterm-insides.ts'
import { drawModes, drawMovingModes } from './draw-modes.ts'
import { drawCursor, drawScreens } from './draw-screen.ts'
import { createLateDrawing } from './late-drawing.ts'
import { wholeLength } from './sequence-boundary.ts'
import { type AnswerDoors, answerQueries, keyboardOf } from './terminal-answers.ts'
import { isSilent, withoutQueries } from './terminal-queries.ts'

export interface Screen {
  /**
   * Takes a chunk. Returns the whole sequences that the screen shows from now on, with what was held back before them.
   * Questions are left out, because they have been answered here.
   */
  feed(chunk: Uint8Array): Uint8Array
  resize(columns: number, rows: number): void
  /** Draws it on a reset terminal of the same size. */
  snapshot(scrollback: number): string
  /** All that the emulator is, for an emulator like it. */
  state(scrollback: number): Uint8Array
  /** Whether the program has asked for pasted text to be marked as such. */
  marksPastes(): boolean
}

export const SCROLLBACK = 1000
/** Bytes. A longer unfinished sequence is passed on as it is. */
const LONGEST_HELD = 1 << 16

const NOTHING = new Uint8Array(0)
/** The parser's state outside of any sequence. */
const GROUND = 0

const LONGEST_TITLE = 512
/** Each of these could end the sequence that sets a title. */
const CONTROLS = /[\x00-\x1f\x7f-\x9f]/g

export async function openScreen(
  size: { columns: number; rows: number },
  doors: AnswerDoors,
): Promise<Screen> {
  const terminal = await openEmulator(size, {
    scrollback: SCROLLBACK,
    windowOptions: { getWinSizeChars: true },
  })
  terminal.onData(doors.reply)
  const modes = answerQueries(terminal, doors)
  const insides = insidesOf(terminal)
  let title = ''
  terminal.onTitleChange((text) => {
    title = text.replace(CONTROLS, '').slice(0, LONGEST_TITLE)
  })
  const late = createLateDrawing((bytes) => insides.writeSync(bytes))
  let held = NOTHING
  return {
    feed: (chunk) => {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const length = bytes.length > LONGEST_HELD ? bytes.length : wholeLength(bytes)
      held = length === bytes.length ? NOTHING : Uint8Array.from(bytes.subarray(length))
      const whole = bytes.subarray(0, length)
      late.add(whole)
      if (insides._inputHandler._parser.currentState === GROUND && isSilent(whole)) return whole
      late.catchUp()
      return withoutQueries(whole)
    },
    resize: (columns, rows) => {
      late.catchUp()
      terminal.resize(columns, rows)
    },
    snapshot: (scrollback) => {
      late.catchUp()
      return (
        drawScreens(terminal, scrollback) +
        drawMovingModes(terminal) +
        drawCursor(terminal) +
        drawModes(terminal) +
        keyboardOf(modes.keyboard) +
        (title === '' ? '' : `\x1b]2;${title}\x07`)
      )
    },
    state: (scrollback) => {
      late.catchUp()
      return takeState({ terminal, keyboard: modes.keyboard }, scrollback)
    },
    marksPastes: () => {
      late.catchUp()
      return terminal.modes.bracketedPasteMode
    },
  }
}
