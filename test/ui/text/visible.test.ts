import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, renderLines } from '../../../src/ui/text/line.ts'
import { formatTable } from '../../../src/ui/text/table.ts'
import { paintNothing } from '../../../src/ui/text/theme.ts'
import { escapeUnsafeJson, makeVisible, splitLines } from '../../../src/ui/text/visible.ts'

/** Text as a hostile agent would choose it. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '\x1b]52;c;aGk=\x07',
    '\x9b31m',
    '\u202egnp.exe',
    'a\nb',
    '\x1b[2J',
    '\u{e0041}',
    '\ud800',
    '\x7f',
  ),
)

function forbidden(text: string): boolean {
  return [...text].some((char) => {
    const code = char.codePointAt(0) ?? 0
    const control = code < 0x20 || (code >= 0x7f && code <= 0x9f)
    const bidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
    return control || bidi || code === 0x2028 || code === 0x2029 || (code >= 0xd800 && code <= 0xdfff)
  })
}

test('no control character, line break, bidirectional override or lone surrogate gets through', () => {
  fc.assert(fc.property(hostile, (text) => !forbidden(makeVisible(text))))
})

test('text that was made visible stays as it is when made visible again', () => {
  fc.assert(fc.property(hostile, (text) => makeVisible(makeVisible(text)) === makeVisible(text)))
})

test('what a character was can be read from what stands for it', () => {
  expect(makeVisible('\x1b[31mred\x07 \u009b \u202e \n\t\r \u{e0041}')).toBe(
    '\\x1b[31mred\\x07 \\x9b \\u202e \\n\\t\\r \\u{e0041}',
  )
})

test('words of any language stay as they are', () => {
  expect(makeVisible('Grüße 世界 👩‍🚀 café ñ')).toBe('Grüße 世界 👩‍🚀 café ñ')
})

test('a line of output breaks only where it ends, whatever stands in its spans', () => {
  fc.assert(
    fc.property(hostile, hostile, (one, two) => {
      const lines: Line[] = [one, [one, { text: two, as: 'strong' }]]
      const printed = renderLines(lines, paintNothing)
      return printed.split('\n').length === 3 && !forbidden(printed.replaceAll('\n', ''))
    }),
  )
})

test('a table cell cannot break out of its row', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 5 }), (rows) => {
      const columns = [
        { title: 'A', shrink: 'end' },
        { title: 'B', shrink: 'middle' },
      ] as const
      const printed = renderLines(formatTable(columns, rows, 40), paintNothing)
      return printed.split('\n').length <= rows.length + 2 && !forbidden(printed.replaceAll('\n', ''))
    }),
  )
})

test('JSON with escaped characters is the same value and holds none of them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), hostile, (value, text) => {
      const json = JSON.stringify({ value, text })
      const escaped = escapeUnsafeJson(json)
      return !forbidden(escaped) && JSON.stringify(JSON.parse(escaped)) === JSON.stringify(JSON.parse(json))
    }),
  )
})

test('lines end at LF and CRLF, and tabs reach the next column of eight', () => {
  expect(splitLines('a\tb\r\n\tc\n')).toEqual(['a       b', '        c'])
  expect(splitLines('abcdefgh\tx')).toEqual(['abcdefgh        x'])
  expect(splitLines('')).toEqual([])
})
