// Events of a person at the keyboard, written as chords as in the table of bindings.

import type { InputEvent, KeyPress, MouseAction, Pasted } from '../../../src/ui/screen/input/input-event.ts'

/** `chord` is `ctrl+a`, `shift+tab`, `L`, `space` and the like. A single character types itself. */
export function key(chord: string): KeyPress {
  const parts = chord.length === 1 ? [chord] : chord.split(/\+(?=.)/)
  const name = parts.at(-1) ?? ''
  const held = new Set(parts.slice(0, -1))
  const plain = !held.has('ctrl') && !held.has('alt') && !held.has('meta')
  const text = name === 'space' ? ' ' : [...new Intl.Segmenter().segment(name)].length === 1 ? name : null
  return {
    kind: 'key',
    name,
    text: plain ? text : null,
    ctrl: held.has('ctrl'),
    alt: held.has('alt'),
    shift: held.has('shift'),
    meta: held.has('meta'),
    event: 'press',
  }
}

/** Each character becomes a key of its own. A line break becomes Enter. */
export const typing = (text: string): KeyPress[] =>
  [...text].map((char) => key(char === '\n' ? 'enter' : char === ' ' ? 'space' : char))

export const keys = (...chords: readonly string[]): KeyPress[] => chords.map(key)

export const paste = (text: string): Pasted => ({ kind: 'paste', text })

export const click = (x: number, y: number): MouseAction => ({
  kind: 'mouse',
  action: 'press',
  button: 'left',
  x,
  y,
  ctrl: false,
  alt: false,
  shift: false,
})

export const wheel = (direction: 'up' | 'down'): MouseAction => ({
  ...click(0, 0),
  action: direction === 'up' ? 'wheel_up' : 'wheel_down',
  button: 'none',
})

/** The state after the events, one after the other. */
export const after = <S>(
  state: S,
  events: readonly InputEvent[],
  step: (state: S, event: InputEvent) => S | null,
): S => events.reduce((now, event) => step(now, event) ?? now, state)
