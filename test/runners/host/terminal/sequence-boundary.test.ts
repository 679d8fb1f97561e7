import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeLength } from '../../../../src/runners/host/terminal/sequence-boundary.ts'

const TOKENS = [
  'a',
  'é',
  '界',
  '🎉',
  '\r',
  '\n',
  '\x1b[m',
  '\x1b[38;2;1;2;3m',
  '\x1b[?2026h',
  '\x1b(0',
  '\x1b7',
  '\x1b]0;title\x07',
  '\x1b]8;;https://x/é\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1b_Gdata\x1b\\',
  '\x1b[12\x18',
]

test('a stream is never cut within a character or a sequence', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }), fc.nat(), (tokens, place) => {
      const bytes = Buffer.from(tokens.join(''))
      const chunk = bytes.subarray(0, place % (bytes.length + 1))
      const ends = tokens.map((_, index) => Buffer.byteLength(tokens.slice(0, index + 1).join('')))
      const last = [0, ...ends].filter((end) => end <= chunk.length).at(-1) ?? 0
      expect(wholeLength(chunk)).toBe(last)
    }),
    { numRuns: 500 },
  )
})

test('the first half of a terminator holds its whole string back', () => {
  const text = Buffer.from('ab\x1b]0;title\x1b')
  expect(wholeLength(text)).toBe(2)
})

test('bytes that are no UTF-8 are not waited for', () => {
  expect(wholeLength(Buffer.from([0x61, 0x80, 0x80, 0x80]))).toBe(4)
  expect(wholeLength(Buffer.from([0x61, 0xff]))).toBe(1)
  expect(wholeLength(Buffer.from([0xff, 0x61]))).toBe(2)
})
