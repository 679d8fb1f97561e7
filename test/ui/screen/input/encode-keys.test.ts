import { describe, expect, test } from 'vitest'
import { encode, press } from '../../../support/dashboard/pane-input.ts'

const [SHIFT, ALT, CTRL, META] = [1, 2, 4, 8]

describe("xterm's encoding", () => {
  test.each([
    ['a', 0, 'a'],
    ['é', 0, '\xc3\xa9'],
    ['space', 0, ' '],
    ['space', SHIFT, ' '],
    ['space', CTRL, '\x00'],
    ['enter', 0, '\r'],
    ['enter', SHIFT, '\r'],
    ['enter', ALT, '\x1b\r'],
    ['tab', 0, '\t'],
    ['tab', SHIFT, '\x1b[Z'],
    ['tab', CTRL, '\t'],
    ['backspace', 0, '\x7f'],
    ['backspace', CTRL, '\x08'],
    ['backspace', ALT, '\x1b\x7f'],
    ['escape', 0, '\x1b'],
    ['escape', ALT, '\x1b\x1b'],
    ['a', CTRL, '\x01'],
    ['A', CTRL, '\x01'],
    ['a', ALT, '\x1ba'],
    ['é', ALT, '\x1b\xc3\xa9'],
    ['a', ALT | CTRL, '\x1b\x01'],
    ['\\', CTRL, '\x1c'],
    [']', CTRL, '\x1d'],
    ['^', CTRL, '\x1e'],
    ['_', CTRL, '\x1f'],
    ['/', CTRL, '\x1f'],
    ['@', CTRL, '\x00'],
    ['?', CTRL, '\x7f'],
    ['1', CTRL, '1'],
    ['c', META, null],
    ['up', 0, '\x1b[A'],
    ['right', CTRL, '\x1b[1;5C'],
    ['left', ALT | SHIFT, '\x1b[1;4D'],
    ['home', 0, '\x1b[H'],
    ['end', CTRL | SHIFT, '\x1b[1;6F'],
    ['insert', 0, '\x1b[2~'],
    ['delete', CTRL, '\x1b[3;5~'],
    ['page_up', 0, '\x1b[5~'],
    ['page_down', SHIFT, '\x1b[6;2~'],
    ['f1', 0, '\x1bOP'],
    ['f4', SHIFT, '\x1b[1;2S'],
    ['f5', 0, '\x1b[15~'],
    ['f12', CTRL, '\x1b[24;5~'],
    ['f13', 0, '\x1b[25~'],
    ['f35', 0, null],
  ] as const)('%s with modifiers %i is %j', (name, bits, expected) => {
    expect(encode(press(name, bits))).toBe(expected)
  })

  test('application cursor keys stand behind ESC O, but not with a modifier', () => {
    const modes = { application_cursor: true }
    expect(encode(press('up'), modes)).toBe('\x1bOA')
    expect(encode(press('end'), modes)).toBe('\x1bOF')
    expect(encode(press('up', CTRL), modes)).toBe('\x1b[1;5A')
    expect(encode(press('delete'), modes)).toBe('\x1b[3~')
  })

  test('a repeat is a press, and a release nothing', () => {
    expect(encode(press('a', 0, 'repeat'))).toBe('a')
    expect(encode(press('up', 0, 'release'))).toBe(null)
    expect(encode(press('a', 0, 'release'), { modify_other_keys: 2 })).toBe(null)
  })

  test.each([
    ['a', CTRL, '\x01', '\x1b[27;5;97~'],
    ['A', CTRL, '\x1b[27;6;65~', '\x1b[27;6;65~'],
    ['a', ALT, '\x1ba', '\x1b[27;3;97~'],
    ['a', CTRL | ALT, '\x1b[27;7;97~', '\x1b[27;7;97~'],
    ['1', CTRL, '\x1b[27;5;49~', '\x1b[27;5;49~'],
    ['\\', CTRL, '\x1c', '\x1b[27;5;92~'],
    ['enter', SHIFT, '\x1b[27;2;13~', '\x1b[27;2;13~'],
    ['tab', CTRL, '\x1b[27;5;9~', '\x1b[27;5;9~'],
    ['tab', SHIFT, '\x1b[Z', '\x1b[Z'],
    ['backspace', CTRL, '\x08', '\x08'],
    ['backspace', SHIFT, '\x7f', '\x1b[27;2;127~'],
    ['space', CTRL, '\x00', '\x1b[27;5;32~'],
    ['A', 0, 'A', 'A'],
    ['up', CTRL, '\x1b[1;5A', '\x1b[1;5A'],
    ['f1', 0, '\x1bOP', '\x1bOP'],
  ] as const)('%s with modifiers %i by modifyOtherKeys 1 and 2', (...[name, bits, first, second]) => {
    expect(encode(press(name, bits), { modify_other_keys: 1 })).toBe(first)
    expect(encode(press(name, bits), { modify_other_keys: 2 })).toBe(second)
  })
})

describe("kitty's encoding", () => {
  test.each([
    ['a', 0, 1, 'a'],
    ['A', 0, 1, 'A'],
    ['space', SHIFT, 1, ' '],
    ['a', CTRL, 1, '\x1b[97;5u'],
    ['A', CTRL, 1, '\x1b[97;6u'],
    ['A', CTRL, 5, '\x1b[97:65;6u'],
    ['a', ALT, 1, '\x1b[97;3u'],
    ['c', META, 1, '\x1b[99;9u'],
    ['^', CTRL, 1, '\x1b[94;5u'],
    ['space', CTRL, 1, '\x1b[32;5u'],
    ['escape', 0, 1, '\x1b[27u'],
    ['enter', 0, 1, '\r'],
    ['enter', SHIFT, 1, '\x1b[13;2u'],
    ['tab', SHIFT, 1, '\x1b[9;2u'],
    ['backspace', 0, 1, '\x7f'],
    ['up', 0, 1, '\x1b[A'],
    ['up', CTRL, 1, '\x1b[1;5A'],
    ['f1', 0, 1, '\x1b[P'],
    ['f3', 0, 1, '\x1b[13~'],
    ['f3', CTRL, 1, '\x1b[13;5~'],
    ['f13', 0, 1, '\x1b[57376u'],
    ['f36', 0, 1, null],
    ['a', 0, 8, '\x1b[97u'],
    ['A', 0, 8, '\x1b[97;2u'],
    ['A', 0, 31, '\x1b[97:65;2;65u'],
    ['a', 0, 24, '\x1b[97;;97u'],
    ['enter', 0, 8, '\x1b[13u'],
    ['a', CTRL, 2, '\x01'],
    ['up', 0, 4, '\x1b[A'],
  ] as const)('%s with modifiers %i and flags %i', (...[name, bits, kitty_flags, expected]) => {
    expect(encode(press(name, bits), { kitty_flags })).toBe(expected)
  })

  test('repeats and releases are told where they were asked for', () => {
    const told = { kitty_flags: 3 }
    expect(encode(press('up', 0, 'release'), told)).toBe('\x1b[1;1:3A')
    expect(encode(press('a', 0, 'release'), told)).toBe('\x1b[97;1:3u')
    expect(encode(press('a', CTRL, 'repeat'), told)).toBe('\x1b[97;5:2u')
    expect(encode(press('a', 0, 'repeat'), told)).toBe('a')
    expect(encode(press('enter', 0, 'release'), told)).toBe(null)
    expect(encode(press('enter', 0, 'release'), { kitty_flags: 10 })).toBe('\x1b[13;1:3u')
    expect(encode(press('up', 0, 'release'), { kitty_flags: 1 })).toBe(null)
    expect(encode(press('up', 0, 'repeat'), { kitty_flags: 1 })).toBe('\x1b[A')
  })
})
