import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSilent, withoutQueries } from '../../../../src/runners/host/terminal/terminal-queries.ts'
import { differences, joinScreenAs, openHostScreen, openWatcher } from '../../../support/terminal/joining.ts'

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

/** What stands for a query, so that text before and after it does not join. */
const NOTHING = '\x1b\\'
const insteadOf = (query: string): string => (query === '\x05' ? '\0' : NOTHING)

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
      const kept = all.map((piece) => (piece.query ? insteadOf(piece.text) : piece.text))
      expect(Buffer.from(withoutQueries(bytes)).toString()).toBe(kept.join(''))
    }),
  )
})

test.each([
  ['of a status', '\x1bP$q\x18text\x1b\\'],
  ['of a terminfo string', '\x1bP+q54\x1atext\x1b\\'],
  ['of a colour', '\x1b]11;a;\x18text;?\x07'],
])('what a program prints after it has cancelled a query %s is no part of it', (_, text) => {
  expect(Buffer.from(withoutQueries(Buffer.from(text))).toString()).toBe(text)
})

test.each([
  '\x1b',
  '\x1b[',
  '\x1b[?1',
  '\x1b(',
  '\x1b]0;title',
  '\x1bPtext',
  '\x1b_text',
  '\x1b]8;;https://x/',
])('a sequence that a query cuts short ends there for others too: %j', async (begun) => {
  const size = { columns: 20, rows: 5 }
  const [screen, stayed, joined] = [
    await openHostScreen(size),
    await openWatcher(size),
    await openWatcher(size),
  ]
  for (const query of ['\x1b[c', '\x1b[6n', '\x1bP$qm\x1b\\', '\x1b]11;?\x07']) {
    stayed.insides.writeSync(screen.feed(Buffer.from(`${begun}${query}qx\x1b[2b`)))
  }
  joinScreenAs(joined, screen)
  expect(differences(joined, stayed)).toEqual([])
})

test('each query alone is known', () => {
  expect(
    QUERIES.filter(
      (query) => Buffer.from(withoutQueries(Buffer.from(query))).toString() !== insteadOf(query),
    ),
  ).toEqual([])
})

const DRAWINGS = [
  'text?',
  'é界🎉',
  '\r\n\t\b\x07',
  '\x1b[1;2H',
  '\x1b[38;2;1;2;3m',
  '\x1b[4:3m',
  '\x1b[2K',
  '\x1b[u',
  '\x1b[?25l',
  '\x1b[?1049h\x1b[?2026h',
  '\x1b7\x1b8\x1bM',
  '\x1b]0;what;?\x07',
  '\x1b]8;;https://x/?\x1b\\',
]

test('what only draws is silent, alone and together', () => {
  for (const drawing of [...DRAWINGS, DRAWINGS.join('')]) expect(isSilent(Buffer.from(drawing))).toBe(true)
})

test('a question, a report, a control of eight bits, or what we do not know is never silent, wherever it stands', () => {
  const loud = [
    ...QUERIES,
    '\x1b]7501;state=working\x07',
    '\u009b6n',
    '\x1b[>1u',
    '\x1b[!p',
    '\x1bc',
    '\x1b]0;no end',
  ]
  for (const sequence of loud) {
    for (const [before, after] of [
      ['', ''],
      ['\x1b[1;31mtext', 'more\x1b[m'],
      ['\x1b]0;title\x07', '\x1b]0;title\x07'],
    ]) {
      expect(isSilent(Buffer.from(`${before}${sequence}${after}`)), JSON.stringify(sequence)).toBe(false)
    }
  }
})
