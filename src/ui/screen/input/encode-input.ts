// What a program in a pane is sent for what the person does: encoded anew by the modes that the program itself asked
// for, never the bytes of the outer terminal.

import type { PaneModes, PanePlace } from '../pane/pane.ts'
import type { Rect } from '../scene.ts'
import { encodeKey, encodeOtherKey } from './encode-key.ts'
import { encodeKittyKey } from './encode-kitty-key.ts'
import type { InputEvent, KeyPress, MouseAction } from './input-event.ts'
import { encodeMouse, encodeOldMouse } from './mouse-report.ts'

/** null where the program is told nothing. `at` is where the pane's cells stand, without a border. */
export function encodeInput(event: InputEvent, modes: PaneModes, at: PanePlace): Uint8Array | null {
  switch (event.kind) {
    case 'key':
      return encodeUtf8(encodeKeyFor(event, modes))
    case 'paste':
      return encodeUtf8(encodePaste(event.text, modes.bracketed_paste))
    case 'mouse':
      return at === null ? null : encodeMouseIn(event, modes, at)
    case 'focus':
      return modes.focus_reports ? encodeUtf8(event.gained ? '\x1b[I' : '\x1b[O') : null
    case 'reply':
      return null
  }
}

const encodeUtf8 = (text: string | null): Uint8Array | null => (text === null ? null : Buffer.from(text))

function encodeKeyFor(key: KeyPress, modes: PaneModes): string | null {
  if (modes.kitty_flags > 0) return encodeKittyKey(key, modes)
  if (key.event === 'release') return null
  return encodeOtherKey(key, modes.modify_other_keys) ?? encodeKey(key, modes)
}

/** The brackets of a paste: in its text they could end it early, and what follows would be keys. */
const BRACKETS = /(?:\x1b\[|\x9b)20[01]~/g
/** Control characters would be keys to a program that knows no brackets, and no text to one that does. */
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

function encodePaste(text: string, bracketed: boolean): string | null {
  const safe = text.replace(BRACKETS, '').replace(CONTROLS, '')
  if (bracketed) return `\x1b[200~${safe}\x1b[201~`
  return safe === '' ? null : safe.replace(/\r\n|\n/g, '\r')
}

type MouseDeed = MouseAction['action']

const VT200: readonly MouseDeed[] = ['press', 'release', 'wheel_up', 'wheel_down']
const TOLD: Readonly<Record<PaneModes['mouse'], readonly MouseDeed[]>> = {
  none: [],
  x10: ['press'],
  vt200: VT200,
  drag: [...VT200, 'drag'],
  any: [...VT200, 'drag', 'move'],
}

function encodeMouseIn(mouse: MouseAction, modes: PaneModes, at: Rect): Uint8Array | null {
  if (!TOLD[modes.mouse].includes(mouse.action)) return null
  const inside = cellPlaceIn(mouse, at)
  if (inside === null) return null
  const told = modes.mouse === 'x10' ? { ...inside, ctrl: false, alt: false, shift: false } : inside
  const report = encodeReport(told, modes.mouse_encoding)
  return report === null ? null : Buffer.from(report, 'latin1')
}

/** Places in pixels are not known here. */
function encodeReport(mouse: MouseAction, encoding: PaneModes['mouse_encoding']): string | null {
  if (encoding === 'sgr_pixels') return null
  return encoding === 'sgr' ? encodeMouse(mouse) : encodeOldMouse(mouse)
}

/** What began in the pane ends in it: a drag or a release beyond it is at its edge. */
function cellPlaceIn(mouse: MouseAction, at: Rect): MouseAction | null {
  if (at.width <= 0 || at.height <= 0) return null
  const x = mouse.x - at.x
  const y = mouse.y - at.y
  const inside = { ...mouse, x: clampCell(x, at.width), y: clampCell(y, at.height) }
  const beyond = inside.x !== x || inside.y !== y
  return beyond && mouse.action !== 'drag' && mouse.action !== 'release' ? null : inside
}

const clampCell = (value: number, size: number): number => Math.min(Math.max(value, 0), size - 1)
