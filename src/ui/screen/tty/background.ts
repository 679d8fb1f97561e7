// Whether the person's terminal is light or dark.

import type { TerminalReply } from '../input/input-event.ts'

export type Background = 'light' | 'dark'

type ReportedColour = Extract<TerminalReply['reply'], { of: 'background' }>

export const backgroundOf = ({ red, green, blue }: ReportedColour): Background =>
  0.299 * red + 0.587 * green + 0.114 * blue > 127 ? 'light' : 'dark'

/** By COLORFGBG, which rxvt, Konsole and others set. Its last number is the background's colour. */
export function guessBackground(env: NodeJS.ProcessEnv): Background {
  const colour = /(?:^|;)(\d{1,2})$/.exec(env['COLORFGBG'] ?? '')?.[1]
  if (colour === undefined) return 'dark'
  const index = Number(colour)
  return index === 7 || (index >= 9 && index <= 15) ? 'light' : 'dark'
}
