// What is shown instead of hunks: that they are being read, why they could not be read, or that there are none. These
// three never look alike.

import { formatAge } from '../../text/ages.ts'
import { count } from '../../text/amounts.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { wrapText } from '../../text/wrap.ts'
import type { Action } from '../keys/bindings.ts'
import type { Look } from '../scene.ts'
import type { DiffContent } from './diff-content.ts'
import { chordFor, type DiffFailure, type DiffState } from './diff-state.ts'
import { missingLine } from './view-hunks.ts'

/** null if there are hunks to show. */
export function viewMessage(state: DiffState, content: DiffContent | null, room: MessageRoom): Line[] | null {
  if (state.failure !== null) return diffFailureLines(state, state.failure, room)
  if (content === null) return [[' ', span(readingWords(state, room.look), 'working')]]
  return content.files.length === 0 ? emptyDiffLines(state, content) : null
}

export interface MessageRoom {
  readonly look: Look
  readonly width: number
}

/** `reading its changes, 3s`. */
export function readingWords({ loading, want }: DiffState, look: Look): string {
  const what = want.part === undefined ? 'reading its changes' : 'reading the commit'
  const age = loading === null ? '' : formatAge(loading.toISOString(), look.now)
  return age === '' || age === '0s' ? what : `${what}, ${age}`
}

function diffFailureLines(
  state: DiffState,
  { code, message, hint }: DiffFailure,
  { width }: MessageRoom,
): Line[] {
  const say = (text: string, make: (line: string) => Span): Line[] =>
    wrapText(text, Math.max(1, width - 2)).map((line): Line => [' ', make(line)])
  return [
    [' ', span('Its changes could not be read', 'failed'), span(`  ${code}`, 'dim')],
    '',
    ...say(message, (line) => line),
    ...say(hint, (line) => span(line, 'dim')),
    '',
    keysLine(state, [
      ['invocation.diff', 'tries again'],
      ['move.leave', 'back'],
    ]),
  ]
}

function emptyDiffLines(state: DiffState, { part, commits, incomplete }: DiffContent): Line[] {
  const words = state.facts.empty ?? emptyWords(part, commits.length)
  return [
    ` ${incomplete.length > 0 ? 'It has changed nothing that git can hold.' : words}`,
    ...incomplete.map(missingLine),
    '',
    keysLine(state, [
      ['invocation.diff', 'looks again'],
      ...(commits.length === 0
        ? []
        : [['diff.commits', part === null ? 'commit by commit' : 'all in one'] as const]),
      ['move.leave', 'back'],
    ]),
  ]
}

function emptyWords(part: DiffContent['part'], commits: number): string {
  if (part === 'uncommitted') return 'Nothing is uncommitted any more.'
  if (part !== null) return 'The commit changes no file.'
  return commits === 0 ? 'It has changed nothing yet.' : `Its ${count(commits, 'commit')} come to no change.`
}

function keysLine({ facts }: DiffState, keys: readonly (readonly [Action, string])[]): Line {
  const shown = keys.filter(([action]) => chordFor(facts, action) !== '')
  return shown.flatMap(([action, says]) => [' ', span(chordFor(facts, action), 'key'), ` ${says} `])
}
