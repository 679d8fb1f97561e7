import { describe, expect, test } from 'vitest'
import type { InputEvent } from '../../../../src/ui/screen/input/input-event.ts'
import { createInputParser } from '../../../../src/ui/screen/input/input-parser.ts'
import { latin1, readChords, readInput } from '../../../support/processes/typed-input.ts'

describe('the mouse', () => {
  const mouse = { kind: 'mouse', x: 9, y: 4, ctrl: false, alt: false, shift: false }
  test.each([
    ['\x1b[<0;10;5M', { action: 'press', button: 'left' }],
    ['\x1b[<1;10;5M', { action: 'press', button: 'middle' }],
    ['\x1b[<2;10;5m', { action: 'release', button: 'right' }],
    ['\x1b[<32;10;5M', { action: 'drag', button: 'left' }],
    ['\x1b[<35;10;5M', { action: 'move', button: 'none' }],
    ['\x1b[<64;10;5M', { action: 'wheel_up', button: 'none' }],
    ['\x1b[<81;10;5M', { action: 'wheel_down', button: 'none', ctrl: true }],
    ['\x1b[<12;10;5M', { action: 'press', button: 'left', alt: true, shift: true }],
    ['\x1b[M *%', { action: 'press', button: 'left' }],
    ['\x1b[M#*%', { action: 'release', button: 'none' }],
  ])('%j', (bytes, expected) => {
    expect(readInput(bytes)).toEqual([{ ...mouse, ...expected }])
  })

  test('wheels to the side, further buttons and broken reports are nothing', () => {
    expect(readInput('\x1b[<66;1;1M\x1b[<128;1;1M\x1b[<0;1M\x1b[<;;M')).toEqual([])
  })
})

describe('a paste', () => {
  test('is text, with line breaks as \\n, and no keys', () => {
    expect(readInput('\x1b[200~q\r\nD\ry\x1b[A\x03漢\x1b[201~z')).toMatchObject([
      { kind: 'paste', text: 'q\nD\ny\x1b[A\x03漢' },
      { kind: 'key', name: 'z' },
    ])
  })

  test('is found at its end wherever that is cut', () => {
    const whole = '\x1b[200~some \x1b[20 text\x1b[201~x'
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(readInput(whole.slice(0, cut), whole.slice(cut))).toEqual(readInput(whole))
  })

  test('of many megabytes comes in several pieces, and whole', () => {
    const text = 'ä'.repeat(9 << 20)
    const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~`)
    const parser = createInputParser()
    const events: InputEvent[] = []
    for (let at = 0; at < bytes.length; at += 65_521)
      events.push(...parser.push(bytes.subarray(at, at + 65_521)))
    expect(events.length).toBeGreaterThan(1)
    expect(events.map((event) => (event.kind === 'paste' ? event.text : '?')).join('') === text).toBe(true)
  })

  test('that does not end stays a paste', () => {
    const parser = createInputParser()
    parser.push(Buffer.from('\x1b[200~'))
    expect(parser.push(Buffer.from('D'))).toEqual([])
    expect(parser.pending()).toBe(false)
    expect(parser.flush()).toEqual([])
    expect(parser.push(Buffer.from('y'))).toEqual([])
  })
})

describe('what is no key', () => {
  test('focus', () => {
    expect(readInput('\x1b[I\x1b[O')).toEqual([
      { kind: 'focus', gained: true },
      { kind: 'focus', gained: false },
    ])
  })

  test.each([
    ['\x1b]11;rgb:1e1e/2020/ffff\x1b\\', { of: 'background', red: 30, green: 32, blue: 255 }],
    ['\x1b]11;rgb:f/8/0\x07', { of: 'background', red: 255, green: 136, blue: 0 }],
    ['\x1b]11;rgba:ffff/0000/0000/ffff\x07', { of: 'background', red: 255, green: 0, blue: 0 }],
    ['\x1b[?5u', { of: 'keyboard', flags: 5 }],
    ['\x1b[?62;22c', { of: 'attributes' }],
    ['\x1b[>1;4000;29c', { of: 'other' }],
    ['\x1b]10;rgb:0/0/0\x07', { of: 'other' }],
    ['\x1b]11;no colour\x07', { of: 'other' }],
    ['\x1bP>|XTerm(390)\x1b\\', { of: 'other' }],
    ['\x1bP1$r0 q\x1b\\', { of: 'other' }],
    ['\x1b[?2026;2$y', { of: 'other' }],
    ['\x1b[12;2$y', { of: 'other' }],
    ['\x1b[24;80R', { of: 'other' }],
    ['\x1b[?24;80R', { of: 'other' }],
    ['\x1b[8;24;80t', { of: 'other' }],
    ['\x1b[0n', { of: 'other' }],
    ['\x1b_Gi=31;OK\x1b\\', { of: 'other' }],
    ['\x1b[38;5;1m', { of: 'other' }],
    ['\x1bO!', { of: 'other' }],
  ])('%j is a reply', (bytes, reply) => {
    expect(readInput(bytes)).toEqual([{ kind: 'reply', reply }])
  })

  test.each([
    '\x80',
    '\xff\xfe',
    '\xc3',
    '\xc3\xc3',
    '\xe0\x80\x80',
    '\xed\xa0\x80',
    '\xf4\x90\x80\x80',
    '\xc2\x9b',
  ])('broken UTF-8 is nothing: %j', (bytes) => {
    expect(readInput(latin1(bytes))).toEqual([])
    expect(readInput(latin1(`${bytes.replace(/\xc3$/, '')}a`))).toMatchObject([{ name: 'a' }])
  })

  test('a reply that is cut off gives way to the next key', () => {
    expect(readChords('\x1b]11;rgb:00\r')).toEqual(['enter'])
    expect(readChords('\x1b]11;rgb:00\x1b[A')).toEqual(['up'])
    expect(readChords('\x1b[1;\x03')).toEqual(['ctrl+c'])
  })

  test('a sequence without end is not kept, and not typed', () => {
    for (const begin of ['\x1b[', '\x1b]0;', '\x1bP1', '\x1b_G']) {
      const parser = createInputParser()
      for (let at = 0; at < 100; at += 1)
        expect(parser.push(Buffer.from(`${at ? '' : begin}${'1'.repeat(999)}`))).toEqual([])
      expect(parser.push(Buffer.from(begin === '\x1b[' ? 'c' : '\x1b\\'))).toEqual([
        { kind: 'reply', reply: { of: 'other' } },
      ])
      expect(parser.push(Buffer.from('a'))).toMatchObject([{ name: 'a' }])
    }
  })
})
