// The codes of keys that are no text, for reading and for writing: xterm's and its kin's, and kitty's.

import type { NamedKey } from './input-event.ts'

/** The final of `CSI 1;m X`, of `CSI X`, and of `ESC O X`. */
export const KEY_FINALS: Readonly<Record<string, NamedKey>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
}

/** The number of `CSI n ~`. */
export const TILDE_NUMBERS: ReadonlyArray<readonly [number, NamedKey]> = [
  [1, 'home'],
  [2, 'insert'],
  [3, 'delete'],
  [4, 'end'],
  [5, 'page_up'],
  [6, 'page_down'],
  [7, 'home'],
  [8, 'end'],
  [11, 'f1'],
  [12, 'f2'],
  [13, 'f3'],
  [14, 'f4'],
  [15, 'f5'],
  [17, 'f6'],
  [18, 'f7'],
  [19, 'f8'],
  [20, 'f9'],
  [21, 'f10'],
  [23, 'f11'],
  [24, 'f12'],
  [25, 'f13'],
  [26, 'f14'],
  [28, 'f15'],
  [29, 'f16'],
  [31, 'f17'],
  [32, 'f18'],
  [33, 'f19'],
  [34, 'f20'],
]

/** The number of `CSI n u` for keys that have a name; also what modifyOtherKeys sends for them. The last counts. */
export const UNICODE_NUMBERS: ReadonlyArray<readonly [number, NamedKey]> = [
  [8, 'backspace'],
  [9, 'tab'],
  [13, 'enter'],
  [27, 'escape'],
  [32, 'space'],
  [127, 'backspace'],
]

/** Kitty's numbers for the keypad, in their order from 57399: what stands there is typed, or is the key of that name. */
const KEYPAD: readonly string[] = [
  ...'0123456789./*-+',
  'enter',
  '=',
  ',',
  'left',
  'right',
  'up',
  'down',
  'page_up',
  'page_down',
  'home',
  'end',
  'insert',
  'delete',
]

/** Kitty's first numbers: it sends most of these keys in xterm's way, but may not. */
const FIRST: readonly NamedKey[] = [
  'escape',
  'enter',
  'tab',
  'backspace',
  'insert',
  'delete',
  'left',
  'right',
  'up',
  'down',
  'page_up',
  'page_down',
  'home',
  'end',
]

const KITTY_FIRST = 57344
const KITTY_F1 = 57364
const KITTY_F35 = 57398
const LAST_FUNCTION_KEY = 35
const KITTY_KEYPAD = 57399
const KITTY_LAST = 63743

/** Its range holds no characters that a keyboard types. */
export const isKittyKey = (code: number): boolean => code >= KITTY_FIRST && code <= KITTY_LAST

/** A name, or the character of a key of the keypad; undefined for keys that we have no use for. */
export function kittyKey(code: number): string | undefined {
  if (code >= KITTY_F1 && code <= KITTY_F35) return `f${code - KITTY_F1 + 1}`
  return FIRST[code - KITTY_FIRST] ?? KEYPAD[code - KITTY_KEYPAD]
}

/** For F13 and up, which have no other code there; null for what is no function key. */
export function kittyFunctionCode(name: string): number | null {
  const number = Number(/^f(\d+)$/.exec(name)?.[1])
  return number >= 1 && number <= LAST_FUNCTION_KEY ? KITTY_F1 + number - 1 : null
}

/** The finals of `ESC O X` that a keypad in application mode sends. */
export const KEYPAD_FINALS: Readonly<Record<string, string>> = {
  ' ': ' ',
  X: '=',
  ...Object.fromEntries([...'*+,-./0123456789'].map((char, at) => [String.fromCharCode(106 + at), char])),
}

const swap = <A, B>(rows: ReadonlyArray<readonly [A, B]>): ReadonlyMap<B, A> =>
  new Map(rows.map(([code, name]) => [name, code]))

/** For writing: which of the codes a name has. */
export const FINAL_OF: ReadonlyMap<string, string> = swap(Object.entries(KEY_FINALS))
export const TILDE_OF: ReadonlyMap<string, number> = swap(TILDE_NUMBERS)
export const UNICODE_OF: ReadonlyMap<string, number> = swap(UNICODE_NUMBERS)

const NAMES: ReadonlySet<string> = new Set<string>([
  ...Object.values(KEY_FINALS),
  ...TILDE_NUMBERS.map(([, name]) => name),
  ...UNICODE_NUMBERS.map(([, name]) => name),
])

/** Function keys have a number without end. */
export const isNamedKey = (name: string): name is NamedKey => NAMES.has(name) || /^f\d+$/.test(name)
