// Finds a text in the texts of a log, at the places of the original. Capital letters count where the text has any.

import type { Range } from '../../text/spans.ts'

/** null where there is nothing to search for. */
export function compileSearch(text: string): RegExp | null {
  if (text === '') return null
  const hasCapital = text !== text.toLowerCase()
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, escapeCharacter), hasCapital ? 'gu' : 'giu')
}

export function countMatches(texts: readonly string[], pattern: RegExp): number {
  let found = 0
  for (const text of texts) {
    pattern.lastIndex = 0
    while (pattern.test(text)) found += 1
  }
  return found
}

export const findRanges = (text: string, pattern: RegExp): Range[] =>
  [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }))

/** Longer texts are searched around what is shown only. */
const WHOLE = 20_000
const AROUND = 1000

/** The matches that touch a part of the text. */
export function matchesIn(text: string, { start, end }: Range, pattern: RegExp): Range[] {
  const from = text.length <= WHOLE ? 0 : Math.max(0, start - AROUND)
  const near = text.length <= WHOLE ? text : text.slice(from, end + AROUND)
  return findRanges(near, pattern)
    .map((match) => ({ start: match.start + from, end: match.end + from }))
    .filter((match) => match.end > start && match.start < end)
}

const escapeCharacter = (character: string): string => (character === '-' ? '\\x2d' : `\\${character}`)
