import { describe, expect, test } from 'vitest'
import { encodeInput } from '../../../../src/ui/screen/input/encode-input.ts'
import type { InputEvent, MouseAction } from '../../../../src/ui/screen/input/input-event.ts'
import { AT, encode, PLAIN } from '../../../support/dashboard/pane-input.ts'
import { readInput } from '../../../support/processes/typed-input.ts'

describe('a paste', () => {
  const paste = (text: string): InputEvent => ({ kind: 'paste', text })

  test('is bracketed where the program asked for it, and comes out as it went in', () => {
    expect(encode(paste('a\nb\tc'), { bracketed_paste: true })).toBe('\x1b[200~a\nb\tc\x1b[201~')
    const bytes = encodeInput(paste('ä\n漢'), { ...PLAIN, bracketed_paste: true }, AT)
    expect(readInput(bytes ?? '')).toEqual([paste('ä\n漢')])
  })

  test('is typed otherwise, with Enter for its line breaks', () => {
    expect(encode(paste('a\nb\r\nc'))).toBe('a\rb\rc')
    expect(encode(paste(''))).toBe(null)
  })

  test.each([
    'x\x1b[201~D',
    '\x1b[20\x1b[201~1~',
    '\x1b[\x1b[200~201~',
    '\x9b201~',
    '\u009b\x1b[201~201~',
    '\x03\x04\x1b',
  ])('cannot be ended by its text: %j', (text) => {
    const bytes = Buffer.from(encode(paste(text), { bracketed_paste: true }) ?? '', 'latin1').toString()
    const inner = bytes.slice('\x1b[200~'.length, -'\x1b[201~'.length)
    expect(inner).not.toMatch(/[\x00-\x08\x0e-\x1f\x7f-\x9f]/)
  })
})

describe('the mouse', () => {
  const mouse = (action: MouseAction['action'], more: Partial<MouseAction> = {}): MouseAction => ({
    kind: 'mouse',
    action,
    button: action === 'move' || action.startsWith('wheel') ? 'none' : 'left',
    x: 12,
    y: 8,
    ctrl: false,
    alt: false,
    shift: false,
    ...more,
  })
  const ACTIONS = ['press', 'release', 'wheel_up', 'wheel_down', 'drag', 'move'] as const

  test.each([
    ['none', []],
    ['x10', ['press']],
    ['vt200', ['press', 'release', 'wheel_up', 'wheel_down']],
    ['drag', ['press', 'release', 'wheel_up', 'wheel_down', 'drag']],
    ['any', ['press', 'release', 'wheel_up', 'wheel_down', 'drag', 'move']],
  ] as const)('a program that asked for %s is told no more', (protocol, told) => {
    const heard = ACTIONS.filter(
      (action) => encode(mouse(action), { mouse: protocol, mouse_encoding: 'sgr' }) !== null,
    )
    expect(heard).toEqual(told)
  })

  test('is told from the corner of the pane, with buttons and modifiers', () => {
    const sgr = { mouse: 'any', mouse_encoding: 'sgr' } as const
    expect(encode(mouse('press'), sgr)).toBe('\x1b[<0;3;4M')
    expect(encode(mouse('release', { button: 'right' }), sgr)).toBe('\x1b[<2;3;4m')
    expect(encode(mouse('drag', { ctrl: true }), sgr)).toBe('\x1b[<48;3;4M')
    expect(encode(mouse('move'), sgr)).toBe('\x1b[<35;3;4M')
    expect(encode(mouse('wheel_down', { alt: true }), sgr)).toBe('\x1b[<73;3;4M')
    expect(encode(mouse('press', { shift: true }), { mouse: 'vt200' })).toBe('\x1b[M$#$')
    expect(encode(mouse('release'), { mouse: 'vt200' })).toBe('\x1b[M##$')
    expect(encode(mouse('press', { ctrl: true }), { mouse: 'x10' })).toBe('\x1b[M #$')
  })

  test('every action is understood as the same', () => {
    const origin = { x: 0, y: 0, width: 400, height: 100 }
    const modes = { ...PLAIN, mouse: 'any', mouse_encoding: 'sgr' } as const
    for (const action of ACTIONS)
      for (const held of [{}, { ctrl: true }, { alt: true, shift: true }]) {
        const event = mouse(action, { ...held, x: 333 })
        expect(readInput(encodeInput(event, modes, origin) ?? '')).toEqual([event])
      }
  })

  test('the old encoding ends at column 223, and pixels are not known', () => {
    const wide = { x: 0, y: 0, width: 400, height: 100 }
    const modes = { ...PLAIN, mouse: 'vt200' } as const
    expect(encodeInput(mouse('press', { x: 222 }), modes, wide)).toEqual(
      Buffer.from([27, 91, 77, 32, 255, 41]),
    )
    expect(encodeInput(mouse('press', { x: 223 }), modes, wide)).toBe(null)
    expect(encode(mouse('press'), { mouse: 'any', mouse_encoding: 'sgr_pixels' })).toBe(null)
  })

  test('beyond the pane only what began in it is told, at the edge', () => {
    const modes = { mouse: 'any', mouse_encoding: 'sgr' } as const
    for (const action of ['press', 'move', 'wheel_up'] as const)
      expect(encode(mouse(action, { x: 3 }), modes)).toBe(null)
    expect(encode(mouse('drag', { x: 3 }), modes)).toBe('\x1b[<32;1;4M')
    expect(encode(mouse('release', { x: 500, y: 500 }), modes)).toBe('\x1b[<0;80;24m')
    expect(encodeInput(mouse('press'), { ...PLAIN, ...modes }, null)).toBe(null)
    expect(encodeInput(mouse('drag'), { ...PLAIN, ...modes }, { ...AT, width: 0 })).toBe(null)
  })
})

describe('what else there is', () => {
  test('focus is told where it was asked for', () => {
    expect(encode({ kind: 'focus', gained: true }, { focus_reports: true })).toBe('\x1b[I')
    expect(encode({ kind: 'focus', gained: false }, { focus_reports: true })).toBe('\x1b[O')
    expect(encode({ kind: 'focus', gained: true })).toBe(null)
  })

  test('answers of the outer terminal are never passed on', () => {
    expect(encode({ kind: 'reply', reply: { of: 'attributes' } }, { kitty_flags: 31 })).toBe(null)
  })
})
