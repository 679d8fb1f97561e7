import { expect, test } from 'vitest'
import { formatAge, formatDuration } from '../../../src/ui/text/ages.ts'
import { count, formatCost, formatTokens, formatUsage } from '../../../src/ui/text/amounts.ts'
import { splitWords } from '../../../src/ui/text/split-words.ts'
import { usageOf } from '../../support/records/records.ts'

test.each([
  [0, '0s'],
  [-5000, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_000, '59m'],
  [3_600_000, '1h'],
  [47 * 3_600_000, '47h'],
  [48 * 3_600_000, '2d'],
  [90 * 86_400_000, '2mo'],
  [3 * 365.25 * 86_400_000, '3y'],
])('%d milliseconds read as %s', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words)
})

test('an age without a readable time is empty', () => {
  expect(formatAge(null, new Date(0))).toBe('')
  expect(formatAge('yesterday', new Date(0))).toBe('')
})

test('amounts read as people say them', () => {
  expect(count(1, 'commit')).toBe('1 commit')
  expect(count(2, 'directory', 'directories')).toBe('2 directories')
  expect(formatCost(0.314)).toBe('$0.31')
  expect(formatCost(null)).toBe('')
  expect([950, 12_345, 3_400_000].map(formatTokens)).toEqual(['950', '12k', '3.4M'])
  expect(formatUsage(usageOf())).toBe('3 turns, 12k in, 900 out, $0.31')
})

test.each([
  ['code --wait', ['code', '--wait']],
  ["'/Applications/My Editor' -x", ['/Applications/My Editor', '-x']],
  ['/path\\ with/ed "a \\"b\\"" c', ['/path with/ed', 'a "b"', 'c']],
  ['ed $(rm -rf /) `x`', ['ed', '$(rm', '-rf', '/)', '`x`']],
  ['  vim  ', ['vim']],
  ["ed ''", ['ed', '']],
])('the words of %s', (command, words) => {
  expect(splitWords(command)).toEqual(words)
})

test('a quote that is not closed is no command', () => {
  expect(splitWords("ed 'x")).toBeNull()
})
