// Where a text occurs in the lines of a diff, also in folded files. Case matters if the text has capital letters.

import type { Range } from '../../text/spans.ts'
import type { DiffContent } from './diff-content.ts'
import type { PatchHunk } from './patch-file.ts'

/** More than anybody steps through. */
const MOST = 10_000

export interface Match {
  readonly file: number
  readonly hunk: PatchHunk
  /** Which line of the hunk. */
  readonly at: number
}

export function findMatches(content: DiffContent, text: string): readonly Match[] {
  const fits = matcherOf(text)
  const matches: Match[] = []
  content.files.forEach(({ hunks }, file) => {
    for (const hunk of hunks) {
      for (let at = 0; at < hunk.length && matches.length < MOST; at += 1) {
        if (fits(hunk.line(at).text)) matches.push({ file, hunk, at })
      }
    }
  })
  return matches
}

const hasCapital = (text: string): boolean => text !== text.toLowerCase()

function matcherOf(wanted: string): (text: string) => boolean {
  return hasCapital(wanted) ? (text) => text.includes(wanted) : (text) => text.toLowerCase().includes(wanted)
}

export function placesOf(line: string, wanted: string): Range[] {
  const within = hasCapital(wanted) ? line : line.toLowerCase()
  const places: Range[] = []
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length)) {
    places.push({ start: at, end: at + wanted.length })
  }
  return places
}
