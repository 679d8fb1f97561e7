// Makes key presses, and turns held modifiers into the number that terminals send, and back.

import type { KeyPress, NamedKey } from './input-event.ts'

export type KeyEvent = KeyPress['event']

/** The modifiers that are held down. */
export interface Held {
  readonly shift: boolean
  readonly alt: boolean
  readonly ctrl: boolean
  readonly meta: boolean
}

export const SHIFT = 1
export const ALT = 2
export const CTRL = 4
/** Kitty's super, xterm's meta: what is sent on as meta. */
const META = 8
/** Kitty's super, hyper and meta: what is read as meta. */
const METAS = META | 16 | 32

const NONE = 0

export function heldOf(bits: number): Held {
  return {
    shift: (bits & SHIFT) !== 0,
    alt: (bits & ALT) !== 0,
    ctrl: (bits & CTRL) !== 0,
    meta: (bits & METAS) !== 0,
  }
}

export const NOTHING_HELD: Held = heldOf(NONE)
export const ALT_HELD: Held = heldOf(ALT)
export const CTRL_HELD: Held = heldOf(CTRL)
export const SHIFT_HELD: Held = heldOf(SHIFT)

/** Without the locks, and without the 1 that terminals add. */
export const bitsOf = ({ shift, alt, ctrl, meta }: Held): number =>
  (shift ? SHIFT : 0) | (alt ? ALT : 0) | (ctrl ? CTRL : 0) | (meta ? META : 0)

/** Whether it is more than shift, so that the key types no text. */
export const isCommand = ({ alt, ctrl, meta }: Held): boolean => alt || ctrl || meta

export function namedKey(name: NamedKey, held: Held = NOTHING_HELD, event: KeyEvent = 'press'): KeyPress {
  const text = name === 'space' && typesText(held, event) ? ' ' : null
  return { kind: 'key', name, text, ...pickHeld(held), event }
}

/** `char` is as it was typed, shifted or not; a space is the named key. */
export function charKey(char: string, held: Held = NOTHING_HELD, event: KeyEvent = 'press'): KeyPress {
  if (char === ' ') return namedKey('space', held, event)
  return { kind: 'key', name: char, text: typesText(held, event) ? char : null, ...pickHeld(held), event }
}

const typesText = (held: Held, event: KeyEvent): boolean => event !== 'release' && !isCommand(held)

const pickHeld = ({ ctrl, alt, shift, meta }: Held): Held => ({ ctrl, alt, shift, meta })

/** The capital of a letter that has one, as one character; null otherwise. */
export function capitalOf(char: string): string | null {
  const upper = char.toUpperCase()
  return upper !== upper.toLowerCase() && [...upper].length === 1 ? upper : null
}

/** The small letter of a capital; null for everything else. */
export function smallOf(char: string): string | null {
  const lower = char.toLowerCase()
  return lower !== char && capitalOf(lower) === char ? lower : null
}

/** Neither a control character nor half of a surrogate pair. */
export function isTextCode(code: number): boolean {
  if (!Number.isInteger(code) || code < 0x20 || code > 0x10ffff) return false
  return !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code <= 0xdfff)
}
