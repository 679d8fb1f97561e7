// The text of an input event, cleaned so that it can be kept.

import { chordOf, type InputEvent, type KeyPress } from '../input/input-event.ts'

/** No prompt can have a NUL, and a terminal that gets the text would take the others for keys. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Text of several lines: line breaks of any system become `\n`, tabs stay, other control characters go. */
export const cleanText = (text: string): string =>
  text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(CONTROL, '')

/** The same as one line: line breaks and tabs become spaces. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s*\n\s*|\t/g, ' ')

/** The text that a key types or a paste brings; null for all else. */
export function typedText(event: InputEvent): string | null {
  if (event.kind === 'paste') return event.text
  if (event.kind !== 'key' || !isPress(event)) return null
  return event.ctrl || event.alt || event.meta ? null : event.text
}

/** The chord of a press or repeat; null otherwise. Shift only counts with letters: Shift-Left moves like Left. */
export function editingChord(event: InputEvent): string | null {
  return event.kind === 'key' && isPress(event) ? chordOf({ ...event, shift: false }) : null
}

const isPress = (key: KeyPress): boolean => key.event !== 'release'

/** The whole chord of a press or repeat, Shift included; null for all else. */
export const pressedChord = (event: InputEvent): string | null =>
  event.kind === 'key' && isPress(event) ? chordOf(event) : null
