// Keys that are sent as the number of a character: kitty's `CSI u`, and xterm's modifyOtherKeys.

import type { KeyPress } from './input-event.ts'
import { isKittyKey, isNamedKey, kittyKey, UNICODE_NUMBERS } from './key-codes.ts'
import {
  capitalOf,
  charKey,
  type Held,
  heldOf,
  isCommand,
  isTextCode,
  type KeyEvent,
  namedKey,
} from './key-press.ts'

interface KeyboardEvent {
  readonly held: Held
  readonly event: KeyEvent
}

const EVENTS: Readonly<Record<string, KeyEvent>> = { '2': 'repeat', '3': 'release' }

/** `modifiers:event`, either or both missing. */
export function readKeyboardEvent(parameter = ''): KeyboardEvent {
  const [modifiers, event = ''] = parameter.split(':')
  return { held: heldOf(Math.max(0, Number(modifiers || 1) - 1)), event: EVENTS[event] ?? 'press' }
}

const NUMBERED = new Map(UNICODE_NUMBERS)

/** `key:shifted:base ; modifiers:event ; text`. Empty for keys that are not used here, null for no key at all. */
export function readUnicodeKey(params: string): KeyPress[] | null {
  const [keys = '', second, text = ''] = params.split(';')
  const pressed = readKeyboardEvent(second)
  const [code = Number.NaN, ...alternates] = keys.split(':').map((digits) => Number(digits || Number.NaN))
  const typed = readText(text)
  if (typed.length > 1 || (typed.length === 1 && types(pressed)))
    return typed.map((char) => charTyped(char, pressed))
  const named = NUMBERED.get(code)
  if (named !== undefined) return [namedKey(named, pressed.held, pressed.event)]
  if (isKittyKey(code)) return readKittyKey(code, pressed)
  return isTextCode(code) ? [readCharacter([code, ...alternates], pressed)] : null
}

const types = ({ held, event }: KeyboardEvent): boolean => !isCommand(held) && event !== 'release'

const readText = (text: string): string[] =>
  text
    .split(':')
    .filter((digits) => digits !== '' && isTextCode(Number(digits)))
    .map((digits) => String.fromCodePoint(Number(digits)))

const charTyped = (char: string, { held, event }: KeyboardEvent): KeyPress =>
  charKey(char, { ...held, shift: held.shift && char === ' ' }, event)

function readKittyKey(code: number, { held, event }: KeyboardEvent): KeyPress[] {
  const key = kittyKey(code)
  if (key === undefined) return []
  return [isNamedKey(key) ? namedKey(key, held, event) : charKey(key, held, event)]
}

/** What shift makes of keys on the most common layout: terminals differ in which of the two characters they send. */
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?'

/**
 * If the terminal tells what shift makes of the key, shift is in the name; otherwise it stays a modifier. With ctrl or
 * alt the key counts by its place, so that Ctrl-C works on a Cyrillic keyboard.
 */
function readCharacter(
  [code = 0, shifted, base]: readonly number[],
  { held, event }: KeyboardEvent,
): KeyPress {
  const placed = code > 0x7f && isCommand(held) && isPlaced(base)
  const char = String.fromCodePoint(placed ? base : code)
  if (!held.shift) return charKey(char, held, event)
  const upper =
    !placed && shifted !== undefined && isTextCode(shifted) ? String.fromCodePoint(shifted) : upperOf(char)
  if (upper === null) return charKey(char, held, event)
  return charKey(upper, { ...held, shift: false }, event)
}

const isPlaced = (base: number | undefined): base is number => base !== undefined && isTextCode(base)

/** null if that is not known. */
const upperOf = (char: string): string | null => (SHIFTED.includes(char) ? char : capitalOf(char))
