import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter, type SplitLine } from '../../../src/core/model/line-splitter.ts'

function split(chunks: readonly Buffer[], longest = 1000): SplitLine[] {
  const lines: SplitLine[] = []
  const splitter = new LineSplitter(longest)
  for (const chunk of chunks) splitter.push(chunk, (line) => lines.push(line))
  splitter.end((line) => lines.push(line))
  return lines
}

test('lines are the same wherever the chunks are cut, also within a character', () => {
  const text = fc.array(fc.string({ unit: 'binary', maxLength: 20 }).map((line) => line.replaceAll('\n', '')))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (lines, step) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
        bytes.subarray(index * step, (index + 1) * step),
      )
      const expected = lines.map((line) => Buffer.from(line).toString('utf8'))
      expect(split(chunks).map((line) => line.text)).toEqual(expected)
    }),
  )
})

test('the last line needs no newline, and an empty line is a line', () => {
  expect(split([Buffer.from('a\n\nb')]).map((line) => line.text)).toEqual(['a', '', 'b'])
})

test('invalid UTF-8 is replaced and takes nothing else along', () => {
  expect(split([Buffer.from([0x61, 0xff, 0xc3, 0x62, 0x0a])])[0]?.text).toBe('a\ufffd\ufffdb')
})

test('of a line over the bound the beginning is kept, with its whole length', () => {
  const chunks = [Buffer.from('x'.repeat(8)), Buffer.from('y'.repeat(8)), Buffer.from('z\nnext\n')]
  expect(split(chunks, 10)).toEqual([
    { text: 'xxxxxxxxyy', cut_from: 17 },
    { text: 'next', cut_from: null },
  ])
  expect(split([Buffer.from('12345678901\n')], 10)).toEqual([{ text: '1234567890', cut_from: 11 }])
})

test('a line of 100 MB is held in bounded memory', () => {
  const splitter = new LineSplitter(1 << 20)
  const chunk = Buffer.alloc(1 << 16, 'x')
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 1600; count++) splitter.push(chunk, () => expect.unreachable())
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
  splitter.end((line) => expect(line.cut_from).toBe(1600 << 16))
})
