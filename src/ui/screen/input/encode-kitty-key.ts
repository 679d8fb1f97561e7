// Keys in kitty's keyboard protocol, as far as the program asked for it: each of its flags adds to the one before.

import type { PaneModes } from '../pane/pane.ts'
import { encodeKey } from './encode-key.ts'
import type { KeyPress } from './input-event.ts'
import { FINAL_OF, isNamedKey, kittyFunctionCode, TILDE_OF, UNICODE_OF } from './key-codes.ts'
import { bitsOf, SHIFT, smallOf } from './key-press.ts'

const DISAMBIGUATE = 1
const EVENTS = 2
const ALTERNATES = 4
const ALL_KEYS = 8
const TEXT = 16

/** These keep their byte, so that a shell can be typed into after a program crashed with the protocol on. */
const BYTES: Readonly<Record<string, string>> = { enter: '\r', tab: '\t', backspace: '\x7f' }
/** Here F3 is sent by its number: its final is that of a cursor's place. */
const F3 = 'f3'
/** From F13 on the numbers are kitty's own. */
const LAST_OLD_FUNCTION_KEY = 12

/** null where the program is told nothing of the key. */
export function encodeKittyKey(key: KeyPress, modes: PaneModes): string | null {
  const flags = modes.kitty_flags
  const all = (flags & ALL_KEYS) !== 0
  if (key.event === 'release') return isReleaseTold(key, flags) ? encodeWhole(key, flags) : null
  if (!all && (flags & DISAMBIGUATE) === 0) return encodeKey(key, modes)
  return (all ? null : encodeByte(key)) ?? encodeWhole(key, flags)
}

const isReleaseTold = (key: KeyPress, flags: number): boolean =>
  (flags & EVENTS) !== 0 && ((flags & ALL_KEYS) !== 0 || BYTES[key.name] === undefined)

function encodeByte(key: KeyPress): string | null {
  if (key.text !== null) return key.text
  return bitsOf(key) === 0 ? (BYTES[key.name] ?? null) : null
}

function encodeWhole(key: KeyPress, flags: number): string | null {
  const held = encodeHeld(bitsOf(key), key, flags)
  const final = key.name === F3 ? undefined : FINAL_OF.get(key.name)
  if (final !== undefined) return `\x1b[${held === '' ? '' : `1;${held}`}${final}`
  const number = tildeOf(key.name)
  if (number !== undefined) return `\x1b[${number}${held === '' ? '' : `;${held}`}~`
  return encodeUnicode(key, flags)
}

function tildeOf(name: string): number | undefined {
  const isNew = /^f\d+$/.test(name) && Number(name.slice(1)) > LAST_OLD_FUNCTION_KEY
  return isNew ? undefined : TILDE_OF.get(name)
}

/** Empty where nothing is held and it is a press. */
function encodeHeld(bits: number, { event }: KeyPress, flags: number): string {
  const told = (flags & EVENTS) !== 0 && event !== 'press'
  if (!told) return bits === 0 ? '' : `${bits + 1}`
  return `${bits + 1}:${event === 'repeat' ? 2 : 3}`
}

/** `key:shifted ; modifiers:event ; text`, without what is empty at the end. */
function encodeUnicode(key: KeyPress, flags: number): string | null {
  const small = smallOf(key.name)
  const code = kittyCode(small ?? key.name)
  if (code === null) return null
  const shifted = small !== null && (flags & ALTERNATES) !== 0 ? `:${kittyCode(key.name)}` : ''
  const held = encodeHeld(bitsOf(key) | (small === null ? 0 : SHIFT), key, flags)
  const told = (flags & ALL_KEYS) !== 0 && (flags & TEXT) !== 0
  const text = told ? (key.text?.codePointAt(0) ?? '') : ''
  return `\x1b[${[`${code}${shifted}`, held, text].join(';').replace(/;+$/, '')}u`
}

const kittyCode = (name: string): number | null =>
  UNICODE_OF.get(name) ?? kittyFunctionCode(name) ?? (isNamedKey(name) ? null : (name.codePointAt(0) ?? null))
