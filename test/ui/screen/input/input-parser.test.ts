import { describe, expect, test } from 'vitest'
import { createInputParser } from '../../../../src/ui/screen/input/input-parser.ts'
import { latin1, readChords, readInput } from '../../../support/processes/typed-input.ts'

describe('keys', () => {
  test.each([
    // Text
    ['a', 'a'],
    ['L', 'L'],
    ['é', 'é'],
    ['漢', '漢'],
    ['🦊', '🦊'],
    [' ', 'space'],
    // Control characters
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\x7f', 'backspace'],
    ['\x08', 'backspace'],
    ['\x01', 'ctrl+a'],
    ['\x1a', 'ctrl+z'],
    ['\x00', 'ctrl+space'],
    ['\x1c', 'ctrl+\\'],
    ['\x1d', 'ctrl+]'],
    ['\x1e', 'ctrl+^'],
    ['\x1f', 'ctrl+_'],
    // Alt
    ['\x1ba', 'alt+a'],
    ['\x1bA', 'alt+A'],
    ['\x1bé', 'alt+é'],
    ['\x1b ', 'alt+space'],
    ['\x1b\r', 'alt+enter'],
    ['\x1b\t', 'alt+tab'],
    ['\x1b\x7f', 'alt+backspace'],
    ['\x1b\x01', 'ctrl+alt+a'],
    ['\x1b\x00', 'ctrl+alt+space'],
    ['\x1b[', 'alt+['],
    ['\x1bO', 'alt+O'],
    ['\x1b]', 'alt+]'],
    ['\x1bP', 'alt+P'],
    ['\x1b_', 'alt+_'],
    ['\x1b^', 'alt+^'],
    ['\x1bX', 'alt+X'],
    ['\x1b\\', 'alt+\\'],
    // Arrows and their neighbours
    ['\x1b[A', 'up'],
    ['\x1bOB', 'down'],
    ['\x1b[1;5C', 'ctrl+right'],
    ['\x1b[1;2D', 'shift+left'],
    ['\x1b[1;8A', 'ctrl+alt+shift+up'],
    ['\x1b[1;9A', 'meta+up'],
    ['\x1bO1;5A', 'ctrl+up'],
    ['\x1bO5A', 'ctrl+up'],
    ['\x1b\x1b[A', 'alt+up'],
    ['\x1b\x1bOA', 'alt+up'],
    ['\x1b[H', 'home'],
    ['\x1bOH', 'home'],
    ['\x1b[1~', 'home'],
    ['\x1b[7~', 'home'],
    ['\x1b[F', 'end'],
    ['\x1bOF', 'end'],
    ['\x1b[4~', 'end'],
    ['\x1b[8~', 'end'],
    ['\x1b[2~', 'insert'],
    ['\x1b[3~', 'delete'],
    ['\x1b[3;5~', 'ctrl+delete'],
    ['\x1b\x1b[3~', 'alt+delete'],
    ['\x1b[5~', 'page_up'],
    ['\x1b[6;2~', 'shift+page_down'],
    ['\x1b[Z', 'shift+tab'],
    ['\x1b[1;5Z', 'ctrl+shift+tab'],
    ['\x1b\x1b[Z', 'alt+shift+tab'],
    // Function keys: VT100, old xterm, Linux console, VT220, modified
    ['\x1bOP', 'f1'],
    ['\x1bOS', 'f4'],
    ['\x1b[P', 'f1'],
    ['\x1b[11~', 'f1'],
    ['\x1b[14~', 'f4'],
    ['\x1b[[A', 'f1'],
    ['\x1b[[E', 'f5'],
    ['\x1b[15~', 'f5'],
    ['\x1b[17~', 'f6'],
    ['\x1b[21~', 'f10'],
    ['\x1b[23~', 'f11'],
    ['\x1b[24~', 'f12'],
    ['\x1b[34~', 'f20'],
    ['\x1b[1;2P', 'shift+f1'],
    ['\x1b[1;5R', 'ctrl+f3'],
    ['\x1b[24;6~', 'ctrl+shift+f12'],
    // rxvt
    ['\x1b[a', 'shift+up'],
    ['\x1bOd', 'ctrl+left'],
    ['\x1b[3$', 'shift+delete'],
    ['\x1b[3^', 'ctrl+delete'],
    ['\x1b[3@', 'ctrl+shift+delete'],
    ['\x1b[11^', 'ctrl+f1'],
    // Keypad in application mode
    ['\x1bOM', 'enter'],
    ['\x1bOk', '+'],
    ['\x1bOp', '0'],
    ['\x1bOy', '9'],
    // Kitty
    ['\x1b[27u', 'escape'],
    ['\x1b[27;2u', 'shift+escape'],
    ['\x1b[13;2u', 'shift+enter'],
    ['\x1b[9;5u', 'ctrl+tab'],
    ['\x1b[127;3u', 'alt+backspace'],
    ['\x1b[32;2u', 'shift+space'],
    ['\x1b[97;5u', 'ctrl+a'],
    ['\x1b[97;69u', 'ctrl+a'],
    ['\x1b[97;133u', 'ctrl+a'],
    ['\x1b[97;9u', 'meta+a'],
    ['\x1b[97:65;6u', 'ctrl+A'],
    ['\x1b[97;6u', 'ctrl+A'],
    ['\x1b[54:94;6u', 'ctrl+^'],
    ['\x1b[54;6u', 'ctrl+shift+6'],
    ['\x1b[94;6u', 'ctrl+^'],
    ['\x1b[92;5u', 'ctrl+\\'],
    ['\x1b[92::92;5:1u', 'ctrl+\\'],
    ['\x1b[1089::99;5u', 'ctrl+c'],
    ['\x1b[1089:1057:99;6u', 'ctrl+C'],
    ['\x1b[1089:1057:99;2;1057u', 'С'],
    ['\x1b[97;;229u', 'å'],
    ['\x1b[97;2;65u', 'A'],
    ['\x1b[57376u', 'f13'],
    ['\x1b[57364;5u', 'ctrl+f1'],
    ['\x1b[57404u', '5'],
    ['\x1b[57414u', 'enter'],
    ['\x1b[57417;2u', 'shift+left'],
    ['\x1b[57426u', 'delete'],
    ['\x1b[13~', 'f3'],
    ['\x1b[13;5~', 'ctrl+f3'],
    // modifyOtherKeys
    ['\x1b[27;5;97~', 'ctrl+a'],
    ['\x1b[27;6;65~', 'ctrl+A'],
    ['\x1b[27;2;13~', 'shift+enter'],
    ['\x1b[27;5;9~', 'ctrl+tab'],
    ['\x1b[27;6;94~', 'ctrl+^'],
    ['\x1b[27;3;27~', 'alt+escape'],
  ])('%j is %s', (bytes, chord) => {
    expect(readChords(bytes)).toEqual([chord])
  })

  test('a key that types text has it, and no other has', () => {
    const texts = readInput('aÉ \x1ba\x01\r\x1b[32;2u\x1b[97;;229u').map(
      (event) => 'text' in event && event.text,
    )
    expect(texts).toEqual(['a', 'É', ' ', null, null, null, ' ', 'å'])
  })

  test('kitty tells repeats and releases, which type nothing', () => {
    expect(readInput('\x1b[97;1:2u\x1b[97;1:3u\x1b[1;1:3A\x1b[3;5:2~')).toMatchObject([
      { name: 'a', event: 'repeat', text: 'a' },
      { name: 'a', event: 'release', text: null },
      { name: 'up', event: 'release' },
      { name: 'delete', event: 'repeat', ctrl: true },
    ])
  })

  test('what an input method commits at once comes character by character', () => {
    expect(readChords('\x1b[0;;28450:23383u')).toEqual(['漢', '字'])
  })

  test('keys that have no use here give nothing', () => {
    expect(readInput('\x1b[57358u\x1b[57441;2u\x1b[57428u')).toEqual([])
  })
})

describe('the escape key', () => {
  test('waits for what may follow, and is told by flush', () => {
    const parser = createInputParser()
    expect(parser.push(Buffer.from('\x1b'))).toEqual([])
    expect(parser.pending()).toBe(true)
    expect(parser.flush()).toMatchObject([{ name: 'escape' }])
    expect(parser.pending()).toBe(false)
    expect(parser.flush()).toEqual([])
  })

  test.each([
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b\x1b\x1b[A', ['escape', 'alt+up']],
    ['\x1b\x1bx', ['escape', 'alt+x']],
    ['\x1b\x1b[200~x\x1b[201~', ['escape', 'paste']],
    ['\x1b\x1b[<0;1;1M', ['escape', 'mouse']],
    ['\x1b\x1b[I', ['escape', 'focus']],
    ['\x1b\x1b]11;rgb:0/0/0\x07', ['escape', 'reply']],
    ['\x1b\x1b[97;5u', ['escape', 'ctrl+a']],
    ['\x1b\x80', ['escape']],
  ])('%j is %j', (bytes, expected) => {
    expect(readChords(latin1(bytes))).toEqual(expected)
  })

  test('a sequence that arrives slowly does not become keys', () => {
    for (const whole of ['\x1b[1;5A', '\x1b[<0;10;10M', '\x1b]11;rgb:00/00/00\x1b\\', '\x1bP>|kitty\x1b\\']) {
      for (let cut = 3; cut < whole.length; cut += 1) {
        const parser = createInputParser()
        const events = [
          ...parser.push(Buffer.from(whole.slice(0, cut))),
          ...(parser.pending() ? [] : parser.flush()),
          ...parser.push(Buffer.from(whole.slice(cut))),
        ]
        expect(events).toEqual(readInput(whole))
      }
    }
  })
})
