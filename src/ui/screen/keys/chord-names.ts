// How a chord is shown to people: `ctrl+\` as Ctrl-\, `page_up` as PgUp.

import type { Look } from '../scene.ts'

type ChordName = readonly [shown: string, ascii: string]

const NAMES: Readonly<Record<string, ChordName>> = {
  enter: ['⏎', 'Enter'],
  escape: ['Esc', 'Esc'],
  tab: ['Tab', 'Tab'],
  space: ['Space', 'Space'],
  backspace: ['Bksp', 'Bksp'],
  delete: ['Del', 'Del'],
  insert: ['Ins', 'Ins'],
  up: ['↑', 'Up'],
  down: ['↓', 'Down'],
  left: ['←', 'Left'],
  right: ['→', 'Right'],
  home: ['Home', 'Home'],
  end: ['End', 'End'],
  page_up: ['PgUp', 'PgUp'],
  page_down: ['PgDn', 'PgDn'],
}

/** `chord` as chordOf writes it. */
export function showChord(chord: string, { ascii }: Pick<Look, 'ascii'>): string {
  const parts = chord.split(/\+(?=.)/)
  const name = parts.at(-1) ?? ''
  const held = parts.slice(0, -1)
  const key = NAMES[name]?.[ascii ? 1 : 0] ?? showName(name, held.includes('ctrl'))
  return [...held.map((modifier) => modifier.charAt(0).toUpperCase() + modifier.slice(1)), key].join('-')
}

/** With Ctrl a letter is written as it stands on the keyboard. */
const showName = (name: string, ctrl: boolean): string =>
  /^f\d+$/.test(name) || (ctrl && name.length === 1) ? name.toUpperCase() : name
