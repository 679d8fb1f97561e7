// The timeline as boxes: the list, newest first, with what is known of the selected checkpoint below it; or the diff of
// one, with its row above.

import type { CheckpointAgainst } from '../../../core/facade/agency.ts'
import { count } from '../../text/amounts.ts'
import { lineWidth } from '../../text/fit-line.ts'
import { type Line, span } from '../../text/line.ts'
import { viewDiff } from '../diff/view-diff.ts'
import { visibleTop } from '../diff/visible-top.ts'
import { glyph } from '../glyphs.ts'
import { innerRect, type Look, type Rect, type Row, rows, type SceneBox } from '../scene.ts'
import { viewCheckpointDetail } from './checkpoint-detail.ts'
import { checkpointRow, columnsFor } from './checkpoint-row.ts'
import { type Comparison, comparable, nextAgainst } from './comparison.ts'
import { layOutComparison, layOutTimeline } from './timeline-layout.ts'
import { chosenCheckpoint, currentIndex, shownCheckpoints, type TimelineState } from './timeline-state.ts'
import { viewTimelineMessage } from './view-timeline-message.ts'

export function viewTimeline(state: TimelineState, rect: Rect, look: Look): readonly SceneBox[] {
  const { comparison } = state
  if (comparison !== null) return viewComparison(state, comparison, { rect, look })
  const { list, detail } = layOutTimeline(state, rect)
  const boxes = [viewList(state, list, look)]
  return detail === null ? boxes : [...boxes, viewTimelineDetail(state, detail)]
}

function viewList(state: TimelineState, rect: Rect, look: Look): SceneBox {
  const { name, id } = state.facts
  const shown = shownCheckpoints(state)
  const { width } = innerRect(rect)
  const list = shown === null ? rows(...viewTimelineMessage(state, width)) : checkpointRows(state, rect, look)
  return {
    key: `checkpoints:${id}:list`,
    rect,
    border: {
      title: [name, span(` ${glyph('dot', look)} `, 'dim'), 'checkpoints'],
      note: shown === null ? '' : span(count(shown.length, 'state'), 'dim'),
      focused: look.focused,
    },
    body: { kind: 'rows', rows: list },
  }
}

function checkpointRows(state: TimelineState, rect: Rect, look: Look): Row[] {
  const all = shownCheckpoints(state) ?? []
  const { width, height } = innerRect(rect)
  const columns = columnsFor(all, width, look)
  const at = currentIndex(state)
  const top = visibleTop(state.top, { at, length: all.length, height })
  return all.slice(top, top + height).map((checkpoint, row) => {
    const line = checkpointRow({ checkpoint, older: all[top + row + 1] }, columns, look)
    return top + row === at ? { line, bar: look.focused ? 'selected' : 'unfocused' } : { line }
  })
}

function viewTimelineDetail(state: TimelineState, rect: Rect): SceneBox {
  const chosen = chosenCheckpoint(state)
  return {
    key: `checkpoints:${state.facts.id}:detail`,
    rect,
    border: {
      title: chosen === null ? '' : `Checkpoint ${chosen.id}`,
      focused: false,
      joinsAbove: true,
    },
    body: {
      kind: 'rows',
      rows: chosen === null ? [] : rows(...viewCheckpointDetail(chosen, innerRect(rect).width)),
    },
  }
}

interface TimelinePlace {
  readonly rect: Rect
  readonly look: Look
}

function viewComparison(
  state: TimelineState,
  comparison: Comparison,
  { rect, look }: TimelinePlace,
): SceneBox[] {
  const { head, diff } = layOutComparison(rect)
  const boxes = viewDiff(comparison.diff, diff, look)
  if (head === null) return [...boxes]
  const joined = boxes.map((box) =>
    box.rect.y === diff.y && box.border !== null
      ? { ...box, border: { ...box.border, joinsAbove: true } }
      : box,
  )
  const { width } = innerRect(head)
  const chosen = chosenCheckpoint(state)
  const older = state.checkpoints?.find(({ id }) => chosen !== null && id < chosen.id)
  const row =
    chosen === null
      ? ''
      : checkpointRow({ checkpoint: chosen, older }, columnsFor([chosen], width, look), look)
  const title = comparisonTitle(state, comparison, { width, look })
  const note = nextWords(state)
  const fits = lineWidth(title) + lineWidth(note) + 5 <= width
  return [
    {
      key: `checkpoints:${state.facts.id}:head`,
      rect: head,
      border: { title, note: fits ? note : '', focused: false },
      body: { kind: 'rows', rows: rows(row) },
    },
    ...joined,
  ]
}

/** `b7c9 claude · checkpoint 3 against the one before`; the name gives way first. */
function comparisonTitle(
  { facts }: TimelineState,
  comparison: Comparison,
  { width, look }: PlaceOnBorder,
): Line {
  const words = span(TITLES[comparison.against](comparison.checkpoint), 'strong')
  const whole: Line = [facts.name, span(` ${glyph('dot', look)} `, 'dim'), words]
  return lineWidth(whole) + 2 <= width ? whole : words
}

interface PlaceOnBorder {
  readonly width: number
  readonly look: Look
}

const TITLES: Readonly<Record<CheckpointAgainst, (number: number) => string>> = {
  before: (number) => `checkpoint ${number} against the one before`,
  base: (number) => `checkpoint ${number} against the base`,
  now: (number) => `now against checkpoint ${number}`,
}

const NEXT: Readonly<Record<CheckpointAgainst, string>> = {
  before: 'the one before',
  base: 'the base',
  now: 'now',
}

/** What the key shows next; nothing where there is but one comparison. */
function nextWords(state: TimelineState): Line {
  const number = state.comparison?.checkpoint ?? 0
  const chord = state.facts.chord('compare.against')
  if (chord === '' || comparable(state, number).length < 2) return ''
  return [span(chord, 'key'), span(` ${NEXT[nextAgainst(state)]}`, 'dim')]
}
