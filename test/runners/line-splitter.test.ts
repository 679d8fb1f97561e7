// Lines must not depend on where a pipe happened to cut its bytes.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from '../../src/runners/line-splitter.ts'
import { cutBytes } from '../support/replay.ts'

const split = (chunks: readonly Uint8Array[], longest?: number): readonly string[] => {
  const splitter = createLineSplitter(longest)
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]
}

test('lines are the same however their bytes are cut, inside a character too', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🙂', '\n', '{', ' ') })
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 5 })), (whole, sizes) => {
      expect(split(cutBytes(Buffer.from(whole), sizes))).toEqual(whole.split('\n').filter(notLastEmpty))
    }),
  )
})

test('carriage returns before a newline go, others stay', () => {
  expect(split([Buffer.from('a\r'), Buffer.from('\nb\rc\n')])).toEqual(['a', 'b\rc'])
})

test('a line without end is passed on in pieces and does not fill the memory', () => {
  const lines = split(
    Array.from({ length: 100 }, () => Buffer.from('x'.repeat(10))),
    50,
  )
  expect(lines.join('')).toHaveLength(1000)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
})

const notLastEmpty = (line: string, index: number, lines: readonly string[]): boolean =>
  line !== '' || index < lines.length - 1
