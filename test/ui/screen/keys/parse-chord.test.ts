import { expect, test } from 'vitest'
import { BINDINGS } from '../../../../src/ui/screen/keys/bindings.ts'
import { parseChord } from '../../../../src/ui/screen/keys/parse-chord.ts'

test.each([
  ['ctrl+l', 'ctrl+l'],
  ['Ctrl-L', 'ctrl+l'],
  ['C-x', 'ctrl+x'],
  ['M-x', 'alt+x'],
  ['alt+L', 'alt+L'],
  ['shift+l', 'L'],
  ['L', 'L'],
  ['ctrl+shift+l', 'ctrl+L'],
  ['alt+ctrl+Delete', 'ctrl+alt+delete'],
  ['shift+ctrl+up', 'ctrl+shift+up'],
  ['esc', 'escape'],
  ['Return', 'enter'],
  ['PgUp', 'page_up'],
  ['page-down', 'page_down'],
  ['S-Tab', 'shift+tab'],
  ['space', 'space'],
  [' ', 'space'],
  ['F12', 'f12'],
  ['+', '+'],
  ['-', '-'],
  ['ctrl++', 'ctrl++'],
  ['C--', 'ctrl+-'],
  ['ctrl+\\', 'ctrl+\\'],
  ['é', 'é'],
  ['cmd+k', 'meta+k'],
])('%j is %s', (typed, chord) => {
  expect(parseChord(typed)).toEqual({ chord })
})

test.each([
  ['pgupp', 'there is no such key; is it page_up?'],
  ['contrl+l', 'there is no such key'],
  ['', 'there is no such key'],
  ['shift+1', 'write the character that Shift gives, such as "?"'],
  ['ctrl+i', 'terminals cannot tell it from tab'],
  ['Ctrl-[', 'terminals cannot tell it from escape'],
  ['constructor', 'there is no such key'],
])('%j is refused: %s', (typed, problem) => {
  expect(parseChord(typed)).toEqual({ problem })
})

test('the chords of the table are written as they are parsed', () => {
  for (const chord of BINDINGS.flatMap(({ chords }) => chords)) expect(parseChord(chord)).toEqual({ chord })
})
