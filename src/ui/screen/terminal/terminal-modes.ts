// What the person's terminal is told when we take it and when we give it back. Every mode of the first is undone by the
// second, and undoing one that was never set does nothing.

import { makeVisible } from '../../text/visible.ts'

export interface ModesWanted {
  readonly mouse: boolean
  readonly title: string | null
}

/** Presses, drags and the wheel, in cells without a limit. */
const MOUSE = '\x1b[?1000h\x1b[?1002h\x1b[?1006h'
const PASTE_AND_FOCUS = '\x1b[?2004h\x1b[?1004h'
/**
 * Kitty's keyboard: every key unambiguous (1), with what shift makes of it and where it lies (4). Pushed without asking
 * first, so that the first key is right already: who does not know it passes over a CSI with a private prefix. It
 * stands after the change of screens, since each screen has a stack of its own. Next to it xterm's modifyOtherKeys,
 * and plain colours for old terminals that take that for an underline.
 */
const KEYBOARD = '\x1b[>5u\x1b[>4;1m\x1b[0m'

export function enterModes({ mouse, title }: ModesWanted): string {
  const named = title === null ? '' : `\x1b]2;${makeVisible(title)}\x1b\\`
  return `\x1b[22;0t\x1b[?1049h\x1b[?25l${KEYBOARD}${PASTE_AND_FOCUS}${mouse ? MOUSE : ''}${named}\x1b[2J\x1b[H`
}

/** It begins by cutting short whatever was being written. */
export const LEAVE_MODES = [
  '\x18\x1b\\\x1b[?2026l',
  '\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l',
  '\x1b[>4m\x1b[<u',
  '\x1b[r\x1b[?7h\x1b[0 q\x1b[0m\x1b[?1049l\x1b[23;0t\x1b[?25h',
].join('')

/** The last is answered by every terminal, after the others: then no more answers come. */
export const questionsFor = (env: NodeJS.ProcessEnv): string =>
  `${env['TERM'] === 'linux' ? '' : '\x1b]11;?\x07'}\x1b[?u\x1b[c`
