// What a sequence from a person's terminal means. Sequences of unknown meaning are no keys.

import type { InputEvent, KeyPress, NamedKey } from './input-event.ts'
import type { InputToken } from './input-token.ts'
import { isNamedKey, KEY_FINALS, KEYPAD_FINALS, TILDE_NUMBERS } from './key-codes.ts'
import {
  ALT_HELD,
  bitsOf,
  CTRL_HELD,
  charKey,
  type Held,
  heldOf,
  type KeyEvent,
  NOTHING_HELD,
  namedKey,
  SHIFT_HELD,
} from './key-press.ts'
import { readMouse, readOldMouse } from './mouse-report.ts'
import { OTHER_REPLY, readPrivateCsi, readString } from './terminal-reply.ts'
import { readKeyboardEvent, readUnicodeKey } from './unicode-keys.ts'

type CsiInput = Extract<InputToken, { kind: 'csi' }>
type Ss3 = Extract<InputToken, { kind: 'ss3' }>

export function readToken(token: InputToken): InputEvent[] {
  switch (token.kind) {
    case 'char':
      return [charKey(token.char, token.alt ? ALT_HELD : NOTHING_HELD)]
    case 'control':
      return [readControl(token.code, token.alt)]
    case 'escape':
      return [namedKey('escape')]
    case 'ss3':
      return readSs3(token)
    case 'csi':
      return readCsi(token)
    case 'mouse':
      return readOldMouse(token.bytes)
    case 'string':
      return [readString(token.introducer, token.body)]
    case 'long':
      return [OTHER_REPLY]
    case 'nothing':
      return []
  }
}

const CONTROL_KEYS: Readonly<Record<number, NamedKey>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  127: 'backspace',
}

function readControl(code: number, alt: boolean): KeyPress {
  const named = CONTROL_KEYS[code]
  if (named !== undefined) return namedKey(named, { ...NOTHING_HELD, alt })
  const held = { ...CTRL_HELD, alt }
  if (code === 0) return namedKey('space', held)
  return charKey(String.fromCharCode(code + 0x40).toLowerCase(), held)
}

/** rxvt sends small letters for arrows with ctrl. */
function readSs3({ params, final, alt }: Ss3): InputEvent[] {
  const held = withAlt(readHeld(params.split(';').at(-1)), alt)
  const named = KEY_FINALS[final]
  if (named !== undefined) return [namedKey(named, held)]
  const arrow = RXVT_ARROWS[final]
  if (arrow !== undefined) return [namedKey(arrow, { ...held, ctrl: true })]
  if (final === 'M') return [namedKey('enter', held)]
  if (final === 'I') return [namedKey('tab', held)]
  const typed = KEYPAD_FINALS[final]
  return typed === undefined ? [OTHER_REPLY] : [charKey(typed, held)]
}

const RXVT_ARROWS: Readonly<Record<string, NamedKey>> = { a: 'up', b: 'down', c: 'right', d: 'left' }

function readCsi(csi: CsiInput): InputEvent[] {
  const { params, final } = csi
  if (params.startsWith('<') && (final === 'M' || final === 'm'))
    return readMouse(params.slice(1), final === 'm')
  if (/^[<-?]/.test(params)) return [readPrivateCsi(params, final)]
  if (params === '' && (final === 'I' || final === 'O')) return [{ kind: 'focus', gained: final === 'I' }]
  return readKeyCsi(csi) ?? [OTHER_REPLY]
}

function readKeyCsi({ params, final, alt }: CsiInput): InputEvent[] | null {
  if (params === '[') return linuxFunctionKey(final)
  if (!/^[\d;:]*$/.test(params)) return null
  if (final === 'u') return readUnicodeKey(params)
  const [first = '', second, third] = params.split(';')
  const { held, event } = readKeyboardEvent(second)
  const press = { held: withAlt(held, alt), event }
  if ('~^$@'.includes(final)) {
    return first === '27' ? readUnicodeKey(`${third};${second}`) : readTilde({ first, final, ...press })
  }
  return readFinal({ first, final, ...press })
}

interface CsiKey {
  readonly first: string
  readonly final: string
  readonly held: Held
  readonly event: KeyEvent
}

/** `CSI 1;2R` is F3 with shift in xterm; any other row than the first is a place of the cursor. */
function readFinal({ first, final, held, event }: CsiKey): InputEvent[] | null {
  if (first !== '' && first !== '1') return null
  if (final === 'Z') return [namedKey('tab', { ...held, shift: true }, event)]
  const arrow = RXVT_ARROWS[final]
  if (arrow !== undefined) return [namedKey(arrow, { ...held, shift: true }, event)]
  const named = KEY_FINALS[final]
  return named === undefined ? null : [namedKey(named, held, event)]
}

const NUMBERED = new Map(TILDE_NUMBERS)

/** rxvt's finals tell shift, ctrl, or both. */
function readTilde({ first, final, held, event }: CsiKey): InputEvent[] | null {
  const named = NUMBERED.get(Number(first))
  if (named === undefined) return null
  const rxvt = { '~': NOTHING_HELD, $: SHIFT_HELD, '^': CTRL_HELD, '@': heldOf(5) }[final] ?? NOTHING_HELD
  return [namedKey(named, heldOf(bitsOf(held) | bitsOf(rxvt)), event)]
}

const linuxFunctionKey = (final: string): InputEvent[] => {
  const name = `f${final.charCodeAt(0) - 0x40}`
  return isNamedKey(name) ? [namedKey(name)] : []
}

const readHeld = (parameter: string | undefined): Held => readKeyboardEvent(parameter).held

const withAlt = (held: Held, alt: boolean): Held => (alt ? { ...held, alt: true } : held)
