// What a person does at the terminal, decoded from its bytes.

/** Names of keys that type no text. The name of any other key is its text, as it was typed, with or without shift. */
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
  /** What it types into a text field; null for named keys except space, and with ctrl or alt. */
  readonly text: string | null
  readonly ctrl: boolean
  readonly alt: boolean
  /**
   * For named keys. With a character it is part of the name, unless the terminal does not tell what shift makes of the
   * key.
   */
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

/** The person's terminal has answered a question of ours. */
export interface TerminalReply {
  readonly kind: 'reply'
  readonly reply:
    | { readonly of: 'background'; readonly red: number; readonly green: number; readonly blue: number }
    | { readonly of: 'keyboard'; readonly flags: number }
    | { readonly of: 'attributes' }
    | { readonly of: 'other' }
}

export type InputEvent = KeyPress | Pasted | MouseAction | FocusChange | TerminalReply

/**
 * `ctrl+\`, `alt+enter`, `shift+tab`, `L`, `page_up`: the way in which the table of bindings and the configuration
 * write a key.
 */
export function chordOf(key: KeyPress): string {
  if (!key.ctrl && !key.alt && !key.shift && !key.meta) return key.name
  const held = [key.ctrl && 'ctrl', key.alt && 'alt', key.shift && 'shift', key.meta && 'meta']
  return [...held.filter((name) => name !== false), key.name].join('+')
}
