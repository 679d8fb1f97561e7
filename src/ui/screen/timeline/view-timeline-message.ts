// What is shown instead of the list: that it is being read, why it could not be read, or that there is none yet.

import { type Line, type Span, span } from '../../text/line.ts'
import { wrapText } from '../../text/wrap.ts'
import type { Action } from '../keys/bindings.ts'
import type { TimelineFailure, TimelineState } from './timeline-state.ts'

export function viewTimelineMessage(state: TimelineState, width: number): Line[] {
  if (state.failure !== null) return timelineFailureLines(state, state.failure, width)
  if (state.checkpoints === null) return ['', [' ', span('reading its checkpoints…', 'working')]]
  return emptyTimelineLines(state, width)
}

function timelineFailureLines(
  state: TimelineState,
  { code, message, hint }: TimelineFailure,
  width: number,
): Line[] {
  return [
    '',
    [' ', span('Its checkpoints could not be read', 'failed')],
    '',
    ...sayWrapped(message, width, (line) => line),
    ...sayWrapped(hint === '' ? code : `${hint} (${code})`, width, (line) => span(line, 'dim')),
    '',
    ...keyLines(state, [
      ['invocation.checkpoints', 'tries again'],
      ['move.leave', 'back'],
    ]),
  ]
}

function emptyTimelineLines(state: TimelineState, width: number): Line[] {
  if (state.facts.closed) {
    return ['', ...sayWrapped('Nothing was kept of it while it worked.', width, (line) => line)]
  }
  const says =
    'One is taken when its work pauses, after each of its turns and when it ends, if something has changed. You can go back to any of them.'
  return [
    '',
    [' ', span('No checkpoint yet', 'strong')],
    '',
    ...sayWrapped(says, width, (line) => span(line, 'dim')),
    '',
    ...keyLines(state, [
      ['invocation.checkpoint', 'takes one now'],
      ['move.leave', 'back'],
    ]),
  ]
}

const sayWrapped = (text: string, width: number, make: (line: string) => Span): Line[] =>
  wrapText(text, Math.max(1, width - 2)).map((line): Line => [' ', make(line)])

function keyLines({ facts }: TimelineState, keys: readonly (readonly [Action, string])[]): Line[] {
  const shown = keys.filter(([action]) => facts.chord(action) !== '')
  const line = shown.flatMap(([action, says]): Span[] => [
    ' ',
    span(facts.chord(action), 'key'),
    span(` ${says}  `, 'dim'),
  ])
  return [line]
}
