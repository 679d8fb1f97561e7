// The mouse: what the person's terminal reports, and what a program in a pane is told, in each of its encodings.

import type { MouseAction } from './input-event.ts'

const SHIFT_BIT = 4
const ALT_BIT = 8
const CTRL_BIT = 16
const MOTION = 32
const WHEEL = 64
/** Buttons beyond the wheel. */
const FURTHER = 128

const BUTTONS = ['left', 'middle', 'right', 'none'] as const
const NO_BUTTON = 3
/** The old encoding has one byte for a coordinate, from 33 on. */
const OLD_LIMIT = 223

/** The parameters of `CSI < b;x;y M`, or `m` for a release. */
export function readMouse(params: string, released: boolean): MouseAction[] {
  const [code, x, y] = params.split(';').map(Number)
  if (code === undefined || x === undefined || y === undefined || !/^\d+;\d+;\d+$/.test(params)) return []
  return readReport({ code, x, y, released })
}

/** Three bytes as latin1 text, for terminals that know no other way: not asked for. */
export function readOldMouse(bytes: string): MouseAction[] {
  const [code = 0, x = 0, y = 0] = [...bytes].map((byte) => byte.charCodeAt(0) - 32)
  const released = (code & (3 | MOTION | WHEEL)) === NO_BUTTON
  return readReport({ code, x, y, released })
}

interface MouseReport {
  readonly code: number
  /** From 1. */
  readonly x: number
  readonly y: number
  readonly released: boolean
}

function readReport({ code, x, y, released }: MouseReport): MouseAction[] {
  const button = BUTTONS[code & 3] ?? 'none'
  const action = actionOf(code, released)
  if (action === null || code < 0) return []
  return [
    {
      kind: 'mouse',
      action,
      button: action === 'wheel_up' || action === 'wheel_down' ? 'none' : button,
      x: Math.max(0, x - 1),
      y: Math.max(0, y - 1),
      ctrl: (code & CTRL_BIT) !== 0,
      alt: (code & ALT_BIT) !== 0,
      shift: (code & SHIFT_BIT) !== 0,
    },
  ]
}

/** null for a wheel to the side, and for buttons that we have no use for. */
function actionOf(code: number, released: boolean): MouseAction['action'] | null {
  if ((code & FURTHER) !== 0) return null
  if ((code & WHEEL) !== 0) return WHEELS[code & 3] ?? null
  if (released) return 'release'
  if ((code & MOTION) !== 0) return (code & 3) === NO_BUTTON ? 'move' : 'drag'
  return (code & 3) === NO_BUTTON ? null : 'press'
}

const WHEELS = ['wheel_up', 'wheel_down'] as const

/** `CSI < b;x;y M`. */
export function encodeMouse(mouse: MouseAction): string {
  const final = mouse.action === 'release' ? 'm' : 'M'
  return `\x1b[<${buttonCode(mouse, BUTTONS.indexOf(mouse.button))};${mouse.x + 1};${mouse.y + 1}${final}`
}

/** Bytes as latin1 text; null beyond what it can tell. */
export function encodeOldMouse(mouse: MouseAction): string | null {
  const { x, y } = mouse
  if (x >= OLD_LIMIT || y >= OLD_LIMIT) return null
  const button = mouse.action === 'release' ? NO_BUTTON : BUTTONS.indexOf(mouse.button)
  return `\x1b[M${String.fromCharCode(32 + buttonCode(mouse, button), 33 + x, 33 + y)}`
}

function buttonCode({ action, ctrl, alt, shift }: MouseAction, button: number): number {
  const held = (shift ? SHIFT_BIT : 0) | (alt ? ALT_BIT : 0) | (ctrl ? CTRL_BIT : 0)
  switch (action) {
    case 'wheel_up':
      return WHEEL | held
    case 'wheel_down':
      return WHEEL | 1 | held
    case 'drag':
    case 'move':
      return MOTION | button | held
    case 'press':
    case 'release':
      return button | held
  }
}
