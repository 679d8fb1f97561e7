// A unified diff for a person to read: coloured by line, made safe. Long lines are not broken.

import { type Line, span } from './line.ts'
import type { Meaning } from './theme.ts'
import { splitLines } from './visible.ts'

const LOOKS: readonly (readonly [start: RegExp, as: Meaning])[] = [
  [
    /^(?:diff |index |--- |\+\+\+ |old mode|new mode|new file|deleted file|similarity|rename |copy |GIT binary)/,
    'strong',
  ],
  [/^@@/, 'accent'],
  [/^\+/, 'added'],
  [/^-/, 'removed'],
]

export function formatPatch(patch: string): Line[] {
  return splitLines(patch).map((text) => {
    const look = LOOKS.find(([start]) => start.test(text))
    return look === undefined ? text : span(text, look[1])
  })
}
