import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { span } from '../../../src/ui/text/line.ts'
import { plainText } from '../../../src/ui/text/spans.ts'
import { makeVisible } from '../../../src/ui/text/visible.ts'
import { widthOf } from '../../../src/ui/text/width.ts'
import { packLines, wrapLine, wrapRanges, wrapText } from '../../../src/ui/text/wrap.ts'

describe('text', () => {
  test('breaks between words', () => {
    expect(wrapText('the quick brown fox jumps', 10)).toEqual(['the quick', 'brown fox', 'jumps'])
    expect(wrapText('exactly 10', 10)).toEqual(['exactly 10'])
  })

  test('keeps its own lines and its indentation', () => {
    expect(wrapText('one\n\n  two three four\n', 11)).toEqual(['one', '', '  two three', '  four'])
  })

  test('goes on under the words of a list, not under its mark', () => {
    expect(wrapText('- wash the dishes\n12. dry the dishes', 12)).toEqual([
      '- wash the',
      '  dishes',
      '12. dry the',
      '    dishes',
    ])
  })

  test('breaks a word that is wider than the row', () => {
    expect(wrapText('see /a/very/long/path now', 8)).toEqual(['see', '/a/very/', 'long/pat', 'h now'])
    expect(wrapText('  /a/very/long', 8)).toEqual(['  /a/ver', '  y/long'])
  })

  test('measures in cells and breaks no character apart', () => {
    expect(wrapText('漢字かな漢字', 5)).toEqual(['漢字', 'かな', '漢字'])
    expect(wrapText('👩‍👩‍👧👩‍👩‍👧e\u0301e\u0301', 3)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧e\u0301', 'e\u0301'])
  })

  test('shows what commands a terminal', () => {
    expect(wrapText('\x1b[2Jab', 6)).toEqual(['\\x1b[2', 'Jab'])
  })

  test('has a row even where it is empty', () => {
    expect(wrapText('', 5)).toEqual([''])
  })
})

test('a line keeps its colours over its rows', () => {
  expect(wrapLine([span('error: ', 'failed'), 'it is', span(' gone', 'strong')], 9)).toEqual([
    [span('error: ', 'failed'), 'it'],
    ['is', span(' gone', 'strong')],
  ])
})

describe('pieces', () => {
  const packed = (width: number): string[] =>
    packLines([[span('n', 'key'), ' new agent'], 'S a shell', 'P path'], { width, gap: 3 }).map(plainText)

  test('stand side by side as far as they fit, and none is broken', () => {
    expect(packed(32)).toEqual(['n new agent   S a shell   P path'])
    expect(packed(31)).toEqual(['n new agent   S a shell', 'P path'])
    expect(packed(22)).toEqual(['n new agent', 'S a shell   P path'])
    expect(packed(11)).toEqual(['n new agent', 'S a shell', 'P path'])
  })

  test('are wrapped where one is wider than a row, and the next stands behind its end', () => {
    expect(packed(9)).toEqual(['n new', 'agent', 'S a shell', 'P path'])
    expect(packLines(['one two three', 'x'], { width: 9, gap: 3 }).map(plainText)).toEqual([
      'one two',
      'three   x',
    ])
  })

  test('none are no row', () => {
    expect(packLines([], { width: 9, gap: 3 })).toEqual([])
  })
})

test('a character that is wider than the row gives way to an ellipsis', () => {
  expect(wrapText('漢字', 1)).toEqual(['…', '…'])
})

test('marks that are stacked without end are cut up', () => {
  const rows = wrapText(`a${'\u0301'.repeat(5000)}`, 10)
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(700)
})

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.constantFrom('word', ' ', '  ', '漢字', 'e\u0301', '👩‍👩‍👧', '\u0301', '\ud800', '- '), {
      maxLength: 60,
    })
    .map((parts) => parts.join('')),
)

test('no row is ever wider than the width, and no word is lost', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, width) => {
      const line = text.replaceAll('\n', ' ')
      for (const row of wrapLine(line, width)) expect(widthOf(plainText(row))).toBeLessThanOrEqual(width)
      const visible = makeVisible(line)
      const ranges = wrapRanges(visible, { width, hanging: 0 })
      const kept = ranges.map(({ start, end }) => visible.slice(start, end)).join('')
      expect(kept.replaceAll(' ', '')).toBe(visible.replaceAll(' ', ''))
    }),
  )
})
