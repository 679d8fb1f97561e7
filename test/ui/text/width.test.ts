// The quick way to measure must agree with the careful one.

import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { isSimple } from '../../../src/ui/text/width.ts'

const UNITS = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
const simple = UNITS.filter(isSimple)

test('a unit that is simple takes one cell', () => {
  expect(simple.length).toBeGreaterThan(1000)
  expect(simple.filter((unit) => stringWidth(unit) !== 1)).toEqual([])
})

test('units that are simple join none of their kind', () => {
  const segmenter = new Intl.Segmenter()
  const joined = simple.filter((unit) => [...segmenter.segment(`${unit}${unit}a`)].length !== 3)
  expect(joined).toEqual([])
})

test('what joins, is wide or has no width is not simple', () => {
  for (const text of ['e\u0301', '\u25b6\ufe0f', '\u4f60', '\u{1f600}', '\u200d', '\xad', '\u25fd'])
    expect(isSimple(text)).toBe(false)
})
