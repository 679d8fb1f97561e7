// A key as people write it in config.toml (`Ctrl-L`, `C-l`, `ctrl+l`, `esc`, `pgup`), in the form of chordOf.

import { nearestName } from '../../text/nearest.ts'

export type ParsedChord = { readonly chord: string } | { readonly problem: string }

const HELD: Readonly<Record<string, string>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  c: 'ctrl',
  alt: 'alt',
  option: 'alt',
  opt: 'alt',
  a: 'alt',
  m: 'alt',
  shift: 'shift',
  s: 'shift',
  meta: 'meta',
  super: 'meta',
  cmd: 'meta',
  command: 'meta',
  win: 'meta',
}
/** In the order of chordOf. */
const ORDER = ['ctrl', 'alt', 'shift', 'meta'] as const

const NAMES = [
  ...['enter', 'escape', 'tab', 'space', 'backspace', 'delete', 'insert', 'up', 'down', 'left', 'right'],
  ...['home', 'end', 'page_up', 'page_down'],
]
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['return', 'enter'],
  ['ret', 'enter'],
  ['cr', 'enter'],
  ['esc', 'escape'],
  ['spc', 'space'],
  ['bs', 'backspace'],
  ['bksp', 'backspace'],
  ['del', 'delete'],
  ['ins', 'insert'],
  ['pgup', 'page_up'],
  ['pageup', 'page_up'],
  ['prior', 'page_up'],
  ['pgdn', 'page_down'],
  ['pgdown', 'page_down'],
  ['pagedown', 'page_down'],
  ['plus', '+'],
  ['minus', '-'],
  ['comma', ','],
  ['backslash', '\\'],
])

/** Terminals send the same byte for both. */
const SAME: Readonly<Record<string, string>> = { 'ctrl+i': 'tab', 'ctrl+m': 'enter', 'ctrl+[': 'escape' }

const CHORD = new RegExp(`^((?:(?:${Object.keys(HELD).join('|')})[+-])*)(.+)$`, 'isu')

export function parseChord(text: string): ParsedChord {
  const [, modifiers = '', key = ''] = CHORD.exec(text === ' ' ? text : text.trim()) ?? []
  const held = new Set(modifiers.split(/[+-]/).flatMap((word) => HELD[word.toLowerCase()] ?? []))
  const name = nameKey(key)
  if (name === null) return { problem: unknownKey(key) }
  const chord = [...name].length === 1 ? ofCharacter(name, held) : joinChord(held, name)
  if (chord === null) return { problem: 'write the character that Shift gives, such as "?"' }
  const same = SAME[chord]
  return same === undefined ? { chord } : { problem: `terminals cannot tell it from ${same}` }
}

function nameKey(key: string): string | null {
  if (key === ' ') return 'space'
  if ([...key].length === 1) return key
  const plain = key.toLowerCase().replaceAll(/[-_ ](?=.)/g, '')
  const named = NAMES.find((name) => name.replace('_', '') === plain)
  return named ?? ALIASES.get(plain) ?? (/^f([1-9]|1\d|2[0-4])$/.test(plain) ? plain : null)
}

/** With a character, shift is part of the name: `L`, not `shift+l`. With ctrl, case makes no difference. */
function ofCharacter(name: string, held: Set<string>): string | null {
  const upper = name.toUpperCase()
  const isLetter = upper !== name.toLowerCase()
  if (!held.has('shift')) return joinChord(held, held.has('ctrl') ? name.toLowerCase() : name)
  held.delete('shift')
  return isLetter ? joinChord(held, upper) : null
}

const joinChord = (held: ReadonlySet<string>, name: string): string =>
  [...ORDER.filter((modifier) => held.has(modifier)), name].join('+')

function unknownKey(key: string): string {
  const near = nearestName(key, [...NAMES, ...ALIASES.keys()])
  return `there is no such key${near === null ? '' : `; is it ${ALIASES.get(near) ?? near}?`}`
}
