// What the person's terminal is told when we take it and when we give it back. The second undoes every mode of the
// first; undoing a mode that was never set does nothing.

import { makeVisible } from '../../text/visible.ts'

export interface ModesWanted {
  readonly mouse: boolean
  readonly title: string | null
}

/** Presses, drags and the wheel, in cells without a limit. */
const MOUSE = '\x1b[?1000h\x1b[?1002h\x1b[?1006h'
const PASTE_AND_FOCUS = '\x1b[?2004h\x1b[?1004h'
/**
 * Kitty's keyboard: every key unambiguous (1), with what shift makes of it and where it is (4). It is switched on
 * without asking first, so that the very first key is right: a terminal that does not know it ignores a CSI with a
 * private prefix. It comes after the switch of screens, because each screen has a stack of its own. Then xterm's
 * modifyOtherKeys, and plain colours for old terminals that take that for an underline.
 */
const KEYBOARD = '\x1b[>5u\x1b[>4;1m\x1b[0m'

export function enterModes({ mouse, title }: ModesWanted): string {
  const named = title === null ? '' : `\x1b]2;${makeVisible(title)}\x1b\\`
  return `\x1b[22;0t\x1b[?1049h\x1b[?25l${KEYBOARD}${PASTE_AND_FOCUS}${mouse ? MOUSE : ''}${named}\x1b[2J\x1b[H`
}

/** Begins by cancelling whatever sequence was being written. */
export const LEAVE_MODES = [
  '\x18\x1b\\\x1b[?2026l',
  '\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l',
  '\x1b[>4m\x1b[<u',
  '\x1b[r\x1b[?7h\x1b[0 q\x1b[0m\x1b[?1049l\x1b[23;0t\x1b[?25h',
].join('')

/** The last question is answered by every terminal, and after the others: then no more answers come. */
export const questionsFor = (env: NodeJS.ProcessEnv): string =>
  `${env['TERM'] === 'linux' ? '' : '\x1b]11;?\x07'}\x1b[?u\x1b[c`
