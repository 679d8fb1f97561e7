// What a person does at the terminal, after the bytes have been understood.

/** Names of keys that are no text. A key that types text has that text, unshifted or shifted as it was typed, as its name. */
export type NamedKey =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'space'
  | 'backspace'
  | 'delete'
  | 'insert'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page_up'
  | 'page_down'
  | `f${number}`

export interface KeyPress {
  readonly kind: 'key'
  /** A NamedKey, or one character: `a`, `L`, `é`, `\\`. */
  readonly name: string
  /** What it types into a text field; null for named keys but space, and with ctrl or alt. */
  readonly text: string | null
  readonly ctrl: boolean
  readonly alt: boolean
  /** For named keys. Of a character it is in the name, unless the terminal does not tell what it makes of the key. */
  readonly shift: boolean
  readonly meta: boolean
  readonly event: 'press' | 'repeat' | 'release'
}

export interface Pasted {
  readonly kind: 'paste'
  readonly text: string
}

export interface MouseAction {
  readonly kind: 'mouse'
  readonly action: 'press' | 'release' | 'drag' | 'move' | 'wheel_up' | 'wheel_down'
  readonly button: 'left' | 'middle' | 'right' | 'none'
  /** Cells from 0. */
  readonly x: number
  readonly y: number
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

export interface FocusChange {
  readonly kind: 'focus'
  readonly gained: boolean
}

/** What the person's terminal answered to a question of ours. */
export interface TerminalReply {
  readonly kind: 'reply'
  readonly reply:
    | { readonly of: 'background'; readonly red: number; readonly green: number; readonly blue: number }
    | { readonly of: 'keyboard'; readonly flags: number }
    | { readonly of: 'attributes' }
    | { readonly of: 'other' }
}

export type InputEvent = KeyPress | Pasted | MouseAction | FocusChange | TerminalReply

/** `ctrl+\`, `alt+enter`, `shift+tab`, `L`, `page_up`: how the table of bindings and the person's config write a key. */
export function chordOf(key: KeyPress): string {
  if (!key.ctrl && !key.alt && !key.shift && !key.meta) return key.name
  const held = [key.ctrl && 'ctrl', key.alt && 'alt', key.shift && 'shift', key.meta && 'meta']
  return [...held.filter((name) => name !== false), key.name].join('+')
}
