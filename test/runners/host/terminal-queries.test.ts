import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutQueries } from '../../../src/runners/host/terminal-queries.ts'

const QUERIES = [
  '\x05',
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[=0c',
  '\x1b[5n',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b[?996n',
  '\x1b[?2026$p',
  '\x1b[4$p',
  '\x1b[>q',
  '\x1b[>0q',
  '\x1b[14t',
  '\x1b[18t',
  '\x1b[21t',
  '\x1b[?u',
  '\x1b[?4m',
  '\x1b]10;?\x07',
  '\x1b]11;?\x1b\\',
  '\x1b]4;1;?;2;?\x07',
  '\x1b]52;c;?\x07',
  '\x1b]7501;?\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1bP+q544e\x1b\\',
]

const OTHERS = [
  'text?',
  'é界🎉',
  '\x1b[1;2H',
  '\x1b[>1u',
  '\x1b[<u',
  '\x1b[u',
  '\x1b[>4;2m',
  '\x1b[0m',
  '\x1b[?25l',
  '\x1b[2 q',
  '\x1b[8;24;80t',
  '\x1b[22;0t',
  '\x1b]0;what;?\x07',
  '\x1b]8;;https://x/?\x1b\\',
  '\x1b]10;#ffffff\x07',
  '\x1b]52;c;aGk=\x07',
]

test('queries are taken out and nothing else is', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...QUERIES).map((text) => ({ text, query: true })),
      fc.constantFrom(...OTHERS).map((text) => ({ text, query: false })),
    ),
  )
  fc.assert(
    fc.property(pieces, (all) => {
      const bytes = Buffer.from(all.map((piece) => piece.text).join(''))
      const kept = all.filter((piece) => !piece.query).map((piece) => piece.text)
      expect(Buffer.from(withoutQueries(bytes)).toString()).toBe(kept.join(''))
    }),
  )
})

test('each query alone is known', () => {
  expect(QUERIES.filter((query) => withoutQueries(Buffer.from(query)).length > 0)).toEqual([])
})
