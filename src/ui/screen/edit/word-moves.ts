// Where words begin and end, by readline's rules.

import { nextBoundary, previousBoundary } from '../../text/clusters.ts'

/** The end of the word at or behind `at`. */
export function nextWord(text: string, at: number): number {
  let end = at
  while (end < text.length && !isInWord(text, end)) end = nextBoundary(text, end)
  while (end < text.length && isInWord(text, end)) end = nextBoundary(text, end)
  return end
}

/** The start of the word before `at`. */
export const previousWord = (text: string, at: number): number => skipBack(text, at, isInWord)

/** The start of what stands before `at`, back to a blank: a word for a shell's Ctrl-W. */
export const previousBlank = (text: string, at: number): number => skipBack(text, at, isNoBlank)

type Test = (text: string, at: number) => boolean

/** Goes back over what fails the test, then over what passes it. */
function skipBack(text: string, at: number, passes: Test): number {
  let start = at
  for (const wanted of [false, true]) {
    for (let before = previousBoundary(text, start); start > 0 && passes(text, before) === wanted; ) {
      start = before
      before = previousBoundary(text, start)
    }
  }
  return start
}

const isInWord: Test = (text, at) =>
  /[\p{L}\p{N}\p{M}_]/u.test(String.fromCodePoint(text.codePointAt(at) ?? 0))
const isNoBlank: Test = (text, at) => !/\s/.test(text.charAt(at))
