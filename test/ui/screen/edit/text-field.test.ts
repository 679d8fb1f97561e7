import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clickInField,
  openTextField,
  type TextField,
  typeInField,
  viewField,
} from '../../../../src/ui/screen/edit/text-field.ts'
import type { InputEvent } from '../../../../src/ui/screen/input/input-event.ts'
import { widthOf } from '../../../../src/ui/text/width.ts'
import { textOf } from '../../../support/dashboard/drawing.ts'
import { after, key, keys, paste, typing } from '../../../support/dashboard/typing.ts'

const typed = (field: TextField, ...events: readonly InputEvent[]): TextField =>
  after(field, events, typeInField)

/** The text with the cursor as a bar. */
const shown = ({ text, cursor }: TextField): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`

const drawn = (field: TextField, width: number): readonly [string, number] => {
  const { line, cursor } = viewField(field, { width, ascii: false })
  return [textOf(line), cursor]
}

test('letters go in where the cursor stands', () => {
  expect(shown(typed(openTextField('acd'), ...keys('left', 'left', 'b')))).toBe('ab|cd')
})

test.each([
  ['home', '|fix the test'],
  ['ctrl+a', '|fix the test'],
  ['ctrl+e', 'fix the test|'],
  ['ctrl+left', 'fix the |test'],
  ['alt+b', 'fix the |test'],
  ['ctrl+w', 'fix the |'],
  ['alt+backspace', 'fix the |'],
  ['ctrl+u', '|'],
  ['backspace', 'fix the tes|'],
  ['shift+left', 'fix the tes|t'],
])('%s', (chord, expected) => {
  expect(shown(typed(openTextField('fix the test'), key(chord)))).toBe(expected)
})

test.each([
  ['delete', '|ix the test'],
  ['ctrl+d', '|ix the test'],
  ['ctrl+k', '|'],
  ['alt+d', '| the test'],
  ['alt+f', 'fix| the test'],
  ['ctrl+right', 'fix| the test'],
  ['ctrl+f', 'f|ix the test'],
])('at the start: %s', (chord, expected) => {
  expect(shown(typed(openTextField('fix the test'), ...keys('home', chord)))).toBe(expected)
})

test('what was killed comes back with Ctrl-Y', () => {
  expect(shown(typed(openTextField('one two'), ...keys('ctrl+w', 'home', 'ctrl+y')))).toBe('two|one ')
})

test('a character of several code points is passed over and erased as one', () => {
  const field = openTextField('a👩‍👩‍👧é')
  expect(shown(typed(field, ...keys('left', 'left')))).toBe('a|👩‍👩‍👧é')
  expect(shown(typed(field, ...keys('left', 'backspace')))).toBe('a|é')
})

test('a paste is one line, without control characters', () => {
  expect(typed(openTextField(), paste('one\r\n  two\tthree\x1b[31m\0')).text).toBe('one two three[31m')
})

test('keys that are not for a field are left to others', () => {
  for (const chord of ['enter', 'escape', 'tab', 'up', 'ctrl+s', 'f1', 'ctrl+z']) {
    expect(typeInField(openTextField('x'), key(chord))).toBeNull()
  }
  expect(typeInField(openTextField('x'), { ...key('a'), event: 'release' })).toBeNull()
})

test('what is too long scrolls sideways, and a mark shows that it does', () => {
  const field = openTextField('the quick brown fox')
  expect(drawn(field, 30)).toEqual(['the quick brown fox', 19])
  expect(drawn(field, 10)).toEqual(['‹own fox', 8])
  expect(drawn(typed(field, key('home')), 10)).toEqual(['the quick ', 0])
})

test('the text stands still while the cursor moves through what is in view', () => {
  const field = openTextField('the quick brown fox jumps ov')
  const [line, cursor] = drawn(field, 20)
  expect(drawn(typed(field, key('left')), 20)).toEqual([line, cursor - 1])
  expect(drawn(typed(field, ...keys('left', 'left', 'left')), 20)).toEqual([line, cursor - 3])
})

test('a click sets the cursor', () => {
  expect(shown(clickInField(openTextField('漢字 abc'), 3, 20))).toBe('漢|字 abc')
  expect(shown(clickInField(openTextField('abc'), 9, 20))).toBe('abc|')
  expect(shown(clickInField(openTextField('the quick brown fox'), 1, 10))).toBe('the quick br|own fox')
})

test('an empty field shows what it is for', () => {
  const { line, cursor } = viewField(openTextField(), {
    width: 8,
    ascii: false,
    placeholder: 'optional name',
  })
  expect([textOf(line), cursor]).toEqual(['optional', 0])
})

test('a completion stands dim behind the text', () => {
  const { line } = viewField(openTextField('ma'), { width: 20, ascii: false, completion: 'in' })
  expect(line).toEqual(['ma', { text: 'in', as: 'dim' }])
})

const CHORDS =
  'left right home end backspace delete ctrl+left ctrl+right ctrl+w ctrl+k ctrl+u ctrl+y alt+d ctrl+a'.split(
    ' ',
  )
const PIECES = ['a', ' ', '_', 'é', '\u0301', '漢', '👩‍👩‍👧', '🇩🇪', '\u200d', '\x1b', '\u202e', '\t', '\n']
const events = fc.array(
  fc.oneof(
    fc.constantFrom(...CHORDS).map(key),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((parts) => paste(parts.join(''))),
  ),
  { maxLength: 40 },
)

test('any keys leave the cursor between two characters, and the view within its width', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 9, max: 20 }), (sequence, width) => {
      let field = openTextField()
      for (const event of sequence) {
        field = typeInField(field, event) ?? field
        const ends = [0]
        for (const { segment } of new Intl.Segmenter().segment(field.text))
          ends.push((ends.at(-1) ?? 0) + segment.length)
        expect(ends).toContain(field.cursor)
        const [line, cursor] = drawn(field, width)
        expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(cursor).toBeGreaterThanOrEqual(0)
        expect(cursor).toBeLessThan(width)
      }
    }),
  )
})

test('typing gives the text that was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (drawn) => {
      // These end lines, and a field has only one line.
      const text = drawn.replace(/[\u2028\u2029]/g, '')
      expect(typed(openTextField(), ...typing(text)).text).toBe(text)
    }),
  )
})
