// The character sets that a program can choose, in a fixed order. The emulator does not tell which ones it has, so it is
// asked by choosing each.

import type { Charset, Insides } from './xterm-insides.ts'

/** The letters that choose them; ASCII, which is none, comes before all of them. */
const LETTERS = '0A4C5RQKYE6ZH7='
const FIRST_SLOT = '('

export const LAST_CHARSET = LETTERS.length

const known = new WeakMap<Insides, readonly Charset[]>()

export function charsetsOf(insides: Insides): readonly Charset[] {
  const before = known.get(insides)
  if (before !== undefined) return before
  const { _charsetService: service, _inputHandler: handler } = insides
  const { charset, glevel, _charsets } = service
  const sets = [...LETTERS].map((letter) => {
    handler.selectCharset(FIRST_SLOT + letter)
    return service._charsets[0]
  })
  Object.assign(service, { charset, glevel, _charsets })
  const all = [undefined, ...sets]
  known.set(insides, all)
  return all
}

/** The letter that chooses it; ASCII is `B`. */
export const charsetLetter = (insides: Insides, charset: Charset): string =>
  LETTERS[charsetsOf(insides).indexOf(charset) - 1] ?? 'B'
