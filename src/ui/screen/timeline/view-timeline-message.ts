// What stands in the place of the list: that it is being read, why it could not be, or that there is none yet.

import { type Line, type Span, span } from '../../text/line.ts'
import { wrapText } from '../../text/wrap.ts'
import type { Action } from '../bindings.ts'
import { showChord } from '../chord-names.ts'
import type { Look } from '../scene.ts'
import type { TimelineFailure, TimelineState } from './timeline-state.ts'

interface Room {
  readonly width: number
  readonly look: Look
}

export function viewTimelineMessage(state: TimelineState, room: Room): Line[] {
  if (state.failure !== null) return failureLines(state, state.failure, room)
  if (state.checkpoints === null) return ['', [' ', span('reading its checkpoints…', 'working')]]
  return emptyLines(state, room)
}

function failureLines(state: TimelineState, { code, message, hint }: TimelineFailure, room: Room): Line[] {
  return [
    '',
    [' ', span('Its checkpoints could not be read', 'failed')],
    '',
    ...say(message, room, (line) => line),
    ...say(hint === '' ? code : `${hint} (${code})`, room, (line) => span(line, 'dim')),
    '',
    ...keyLines(state, room, [
      ['invocation.checkpoints', 'tries again'],
      ['move.leave', 'back'],
    ]),
  ]
}

function emptyLines(state: TimelineState, room: Room): Line[] {
  if (state.facts.closed) {
    return ['', ...say('Nothing was kept of it while it worked.', room, (line) => line)]
  }
  const says =
    'One is taken when its work pauses, after each of its turns and when it ends, if something has changed. You can go back to any of them.'
  return [
    '',
    [' ', span('No checkpoint yet', 'strong')],
    '',
    ...say(says, room, (line) => span(line, 'dim')),
    '',
    ...keyLines(state, room, [
      ['invocation.checkpoint', 'takes one now'],
      ['move.leave', 'back'],
    ]),
  ]
}

const say = (text: string, { width }: Room, make: (line: string) => Span): Line[] =>
  wrapText(text, Math.max(1, width - 2)).map((line): Line => [' ', make(line)])

function keyLines(
  { facts }: TimelineState,
  { look }: Room,
  keys: readonly (readonly [Action, string])[],
): Line[] {
  const shown = keys.filter(([action]) => facts.chord(action) !== '')
  const line = shown.flatMap(([action, says]): Span[] => [
    ' ',
    span(showChord(facts.chord(action), look), 'key'),
    span(` ${says}  `, 'dim'),
  ])
  return [line]
}
