// A pane whose program asked for some modes, and what a person does in it.

import { encodeInput } from '../../../src/ui/screen/input/encode-input.ts'
import type { InputEvent, NamedKey } from '../../../src/ui/screen/input/input-event.ts'
import { charKey, heldOf, type KeyEvent, namedKey } from '../../../src/ui/screen/input/key-press.ts'
import type { PaneModes } from '../../../src/ui/screen/pane/pane.ts'

export const PLAIN: PaneModes = {
  application_cursor: false,
  application_keypad: false,
  bracketed_paste: false,
  focus_reports: false,
  mouse: 'none',
  mouse_encoding: 'default',
  kitty_flags: 0,
  modify_other_keys: 0,
  alternate_screen: false,
}
export const AT = { x: 10, y: 5, width: 80, height: 24 }

/** The bytes that the program gets, as latin1 text; null if it gets nothing. */
export const encode = (event: InputEvent, modes: Partial<PaneModes> = {}): string | null => {
  const bytes = encodeInput(event, { ...PLAIN, ...modes }, AT)
  return bytes === null ? null : Buffer.from(bytes).toString('latin1')
}

export const NAMED: readonly NamedKey[] = [
  ...([
    'enter',
    'escape',
    'tab',
    'space',
    'backspace',
    'delete',
    'insert',
    'up',
    'down',
    'left',
    'right',
  ] as const),
  ...(['home', 'end', 'page_up', 'page_down'] as const),
  ...Array.from({ length: 12 }, (_, at): NamedKey => `f${at + 1}`),
]

/** `bits` of the modifiers: 1 shift, 2 alt, 4 ctrl, 8 meta. */
export const press = (name: string, bits = 0, event: KeyEvent = 'press'): InputEvent => {
  const named = [...NAMED, 'f13', 'f20', 'f35', 'f36'].find((each) => each === name) as NamedKey | undefined
  return named === undefined ? charKey(name, heldOf(bits), event) : namedKey(named, heldOf(bits), event)
}
