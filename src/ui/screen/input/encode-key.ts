// Keys as xterm sends them: its old encoding, and its modifyOtherKeys for programs that asked for it.

import type { PaneModes } from '../pane/pane.ts'
import type { KeyPress } from './input-event.ts'
import { FINAL_OF, isNamedKey, TILDE_OF, UNICODE_OF } from './key-codes.ts'
import { ALT, bitsOf, CTRL, SHIFT, smallOf } from './key-press.ts'

/** null if this encoding has nothing for the key. */
export function encodeKey(key: KeyPress, modes: PaneModes): string | null {
  const final = FINAL_OF.get(key.name)
  if (final !== undefined) return encodeFinal(key, final, modes)
  const number = TILDE_OF.get(key.name)
  if (number !== undefined) return `\x1b[${number}${suffixOf(key)}~`
  return key.meta ? null : encodeTyped(key)
}

/** Function keys stand behind `ESC O` in any mode. */
function encodeFinal(key: KeyPress, final: string, modes: PaneModes): string {
  const bits = bitsOf(key)
  if (bits > 0) return `\x1b[1;${bits + 1}${final}`
  return `\x1b${modes.application_cursor || 'PQRS'.includes(final) ? 'O' : '['}${final}`
}

function suffixOf(key: KeyPress): string {
  const bits = bitsOf(key)
  return bits > 0 ? `;${bits + 1}` : ''
}

/** A single byte or a character; with alt an ESC before it. */
function encodeTyped(key: KeyPress): string | null {
  const prefix = key.alt ? '\x1b' : ''
  if (key.name === 'tab' && key.shift) return `${prefix}\x1b[Z`
  const code = UNICODE_OF.get(key.name)
  if (code === undefined && isNamedKey(key.name)) return null
  const plain = code === undefined ? key.name : String.fromCharCode(code)
  return `${prefix}${(key.ctrl ? controlOf(key.name) : undefined) ?? plain}`
}

/** As on DEC's terminals: digits and signs stand for control characters that have no letter. */
const CONTROLS: Readonly<Record<string, string>> = {
  space: '\x00',
  backspace: '\x08',
  '@': '\x00',
  '2': '\x00',
  '[': '\x1b',
  '3': '\x1b',
  '\\': '\x1c',
  '4': '\x1c',
  ']': '\x1d',
  '5': '\x1d',
  '^': '\x1e',
  '6': '\x1e',
  '~': '\x1e',
  _: '\x1f',
  '7': '\x1f',
  '/': '\x1f',
  '?': '\x7f',
  '8': '\x7f',
}

const controlOf = (name: string): string | undefined =>
  /^[A-Za-z]$/.test(name) ? String.fromCharCode(name.charCodeAt(0) & 0x1f) : CONTROLS[name]

/** `CSI 27;m;c ~`; null for keys that this level does not change. */
export function encodeOtherKey(key: KeyPress, level: number): string | null {
  if (level === 0 || keepsOldCode(key, level)) return null
  const code = UNICODE_OF.get(key.name) ?? (isNamedKey(key.name) ? undefined : key.name.codePointAt(0))
  return code === undefined ? null : `\x1b[27;${otherBits(key) + 1};${code}~`
}

function keepsOldCode(key: KeyPress, level: number): boolean {
  const bits = bitsOf(key)
  if (bits === 0) return true
  if (key.name === 'tab' && bits === SHIFT) return true
  if (key.name === 'backspace') return level === 1 || bits === CTRL
  return level === 1 && isWellKnown(key, bits)
}

/** Level 1 leaves control characters, and alt with a character, as they are. */
function isWellKnown(key: KeyPress, bits: number): boolean {
  if (bits === CTRL) return smallOf(key.name) === null && controlOf(key.name) !== undefined
  return bits === ALT && (key.name === 'space' || !isNamedKey(key.name))
}

const otherBits = (key: KeyPress): number => bitsOf(key) | (smallOf(key.name) === null ? 0 : SHIFT)
