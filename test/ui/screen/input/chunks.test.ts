import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latin1, readInput } from '../../../support/processes/typed-input.ts'

describe('however it is cut', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\x1b',
      '\x1b\x1b',
      '\x1b[',
      '\x1bO',
      '\x1b]',
      '\x1bP',
      '\x1b_G',
      '\x1b]11;rgb:',
      '\x1b[200~',
      '\x1b[201~',
      '\x1b[A',
      '\x1b[1;5A',
      '\x1b[[A',
      '\x1b[3$',
      '\x1b[M',
      '\x1b[<0;1;1M',
      '\x1b[97:65;6:2;65u',
      '\x1b[27;5;97~',
      '\x07',
      '\x1b\\',
      '\x9b',
      '1',
      ';',
      '$',
      '~',
      'u',
      '\xc3\xa9',
      '\xf0\x9f\xa6\x8a',
      '\xe6\xbc',
    ),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  const input = fc.array(piece, { maxLength: 12 }).map((pieces) => latin1(pieces.join('')))

  test('the same bytes give the same events', () => {
    fc.assert(
      fc.property(input, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end))
        expect(readInput(...chunks)).toEqual(readInput(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  test('sequences too long to be kept are no exception', () => {
    const long = fc
      .constantFrom('\x1b[', '\x1b]0;', '\x1bP1', '\x1b_G')
      .map((begin) => latin1(begin + '9'.repeat(4500)))
    fc.assert(
      fc.property(long, input, fc.nat(4500), (begin, rest, cut) => {
        const bytes = Buffer.concat([begin, rest])
        expect(readInput(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(readInput(bytes))
        expect(readInput(begin, rest)).toEqual(readInput(bytes))
      }),
      { numRuns: 300 },
    )
  })

  test('byte by byte too, and every key press is sound', () => {
    fc.assert(
      fc.property(input, (bytes) => {
        const events = readInput(...[...bytes].map((byte) => Uint8Array.of(byte)))
        expect(events).toEqual(readInput(bytes))
        for (const event of events) {
          if (event.kind !== 'key') continue
          expect(event.name).not.toMatch(/^[\x00-\x20\x7f-\x9f]/)
          if (event.text !== null) expect([...event.text]).toHaveLength(1)
        }
      }),
      { numRuns: 500 },
    )
  })
})
