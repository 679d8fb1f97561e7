import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  nextBoundary,
  previousBoundary,
  snapToBoundary,
  splitClusters,
} from '../../../src/ui/text/clusters.ts'

const PIECES = [
  'a',
  ' ',
  '\t',
  'é',
  'e\u0301',
  '\u0301',
  '漢',
  'か',
  'ガ',
  '한',
  '\u1100',
  '\uac00',
  '👩‍👩‍👧',
  '👍🏽',
  '🇩🇪',
  '🇩',
  '❤️',
  '\u200d',
  '\ufe0f',
  '\u0600',
  '\u{110bd}',
  'क्ष',
  '\ud800',
  '©',
  '〰',
  '️\u20e3',
  'ก็',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 30 })
  .map((parts) => parts.join(''))

const segmented = (whole: string): string[] =>
  [...new Intl.Segmenter().segment(whole)].map(({ segment }) => segment)
const boundariesOf = (whole: string): number[] => {
  const ends = [0]
  for (const cluster of segmented(whole)) ends.push((ends.at(-1) ?? 0) + cluster.length)
  return ends
}

test('clusters are those of the segmenter', () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect(splitClusters(whole)).toEqual(segmented(whole))
    }),
    { numRuns: 2000 },
  )
})

test('boundaries are those of the segmenter, from any place', () => {
  fc.assert(
    fc.property(text, fc.nat(60), (whole, wanted) => {
      const at = Math.min(wanted, whole.length)
      const ends = boundariesOf(whole)
      expect(nextBoundary(whole, at)).toBe(ends.find((end) => end > at) ?? whole.length)
      expect(previousBoundary(whole, at)).toBe(ends.findLast((end) => end < at) ?? 0)
      expect(snapToBoundary(whole, at)).toBe(ends.find((end) => end >= at))
    }),
    { numRuns: 2000 },
  )
})

test.each([['漢é👍 '], ['👩‍👩‍👧'], ['\u0301'], ['é漢'], ['a']])(
  'a megabyte of %j is cut, and found the way about in',
  (piece) => {
    const whole = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(splitClusters(whole).join('')).toBe(whole)
    expect(nextBoundary(whole, 500_000)).toBeGreaterThan(500_000)
  },
)
