// The log as a box of rows: the rows on the screen, what a search found in them, and when each block was said.

import { formatClock } from '../../text/clock.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { plainText, type Range, recolour, sliceSpans, visibleSpans } from '../../text/spans.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import { makeVisible } from '../../text/visible.ts'
import { elide, widthOf } from '../../text/width.ts'
import { fitSpans, wrapLine } from '../../text/wrap.ts'
import type { Look, Rect, Row, SceneBox } from '../scene.ts'
import { blockTime } from './block.ts'
import type { Lead } from './block-sections.ts'
import { foldTarget } from './fold-log.ts'
import { noteOfLog } from './log-note.ts'
import { blockAt, type LogPlace, type LogState, shownFile, shownScript } from './log-state.ts'
import { compileSearch, matchesIn } from './matches.ts'
import {
  comparePlaces,
  laidLineAt,
  type Measure,
  measureLog,
  openReel,
  type Reel,
  screenPlaces,
  settlePlace,
} from './reel.ts'

const LEAST_TITLE = 12
/** A blank at each end of the title and of the note, and a piece of the border between them. */
const BESIDE_TITLE = 5
const FORMS = { transcript: 'log', recording: 'recording', raw: 'raw log' } as const

export function viewLog(state: LogState, rect: Rect, look: Look): readonly SceneBox[] {
  const measure = measureLog({ columns: rect.width, rows: rect.height })
  const reel = openReel(state, measure)
  const places = screenPlaces(reel, measure.height)
  const drawing = { state, reel, measure, look, target: foldTarget(reel, places) }
  const rows = places.length === 0 ? viewEmpty(state, measure) : viewPlaces(drawing, places)
  const note = noteOfLog(state, places, look)
  const title = logTitle(state, measure.width - widthOf(plainText(visibleSpans(note))))
  return [
    {
      key: `log:${state.facts.id}`,
      rect,
      border: { title, note, focused: look.focused },
      body: { kind: 'rows', rows },
    },
  ]
}

/** Gives way to the note as far as one can still tell which log it is. */
function logTitle(state: LogState, room: number): string {
  const form = ` · ${FORMS[shownFile(state).form]}`
  return (
    elide(makeVisible(state.facts.title), Math.max(LEAST_TITLE, room - BESIDE_TITLE - form.length)) + form
  )
}

interface Drawing {
  readonly state: LogState
  readonly reel: Reel
  readonly measure: Measure
  readonly look: Look
  /** The block that `enter` unfolds. */
  readonly target: number | null
}

function viewPlaces(drawing: Drawing, places: readonly LogPlace[]): Row[] {
  const { reel, look } = drawing
  const { stand } = reel.script
  const cursor = stand === null ? null : settlePlace(reel, stand.cursor)
  let told = ''
  return places.map((place) => {
    const time = timeAt(drawing, place)
    const line = viewPlace(drawing, place, time === told ? '' : time)
    if (time !== '') told = time
    const barred = cursor !== null && comparePlaces(place, cursor) === 0
    return barred ? { line, bar: look.focused ? 'selected' : 'unfocused' } : { line }
  })
}

function viewPlace(drawing: Drawing, place: LogPlace, time: string): Line {
  const { reel, measure, look, target } = drawing
  const laid = laidLineAt(reel, place)
  const range = laid?.rows()[place.row]
  if (laid === null || range === undefined) return ''
  const cut = laid.brief && range.end < plainText(laid.spans).length ? '…' : ''
  const hint = laid.folds && place.seq === target && look.focused ? ['  ', span('enter', 'key')] : []
  const words = [
    viewLead(laid.from === 0 && place.row === 0 ? laid.lead : laid.hang, look),
    ' '.repeat(place.row === 0 ? 0 : laid.indent),
    ...sliceSpans(recolour(laid.spans, matchesOn(drawing, place, range), 'match'), range),
    cut,
    ...hint,
  ]
  return fitSpans(withTime([' ', ...fitSpans(words, measure.text)], time, measure), measure.width)
}

const viewLead = ({ cells, ascii, as }: Lead, look: Look): Span => span(look.ascii ? ascii : cells, as)

function withTime(words: readonly Span[], time: string, { width }: Measure): readonly Span[] {
  if (time === '') return words
  const gap = width - 1 - time.length - widthOf(plainText(words))
  return [...words, ' '.repeat(Math.max(0, gap)), span(time, 'dim')]
}

/** In the spans of a line, within what a row shows of it. */
function matchesOn({ state, reel }: Drawing, place: LogPlace, { start, end }: Range): Range[] {
  const pattern = compileSearch(state.search?.text ?? '')
  const laid = laidLineAt(reel, place)
  if (pattern === null || laid === null || laid.text === null) return []
  const text = reel.layoutAt(place.seq)?.texts()[laid.text] ?? ''
  const shift = ({ start, end }: Range): Range => ({
    start: Math.max(0, start - laid.from),
    end: end - laid.from,
  })
  return matchesIn(text, { start: start + laid.from, end: end + laid.from }, pattern).map(shift)
}

/** When a block was said, on the first row of what it says. */
function timeAt({ reel, measure }: Drawing, { seq, line, row }: LogPlace): string {
  if (!measure.times || row > 0) return ''
  const lines = reel.layoutAt(seq)?.lines ?? []
  if (lines.findIndex(({ text }) => text !== null) !== line) return ''
  const block = blockAt(reel.script, seq)
  return block === null ? '' : formatClock(blockTime(block))
}

function viewEmpty(state: LogState, { width, text, height }: Measure): Row[] {
  return emptyLogLines(state)
    .flatMap((line) => wrapLine(line, text))
    .slice(0, height)
    .map((spans) => ({ line: fitSpans([' ', ...spans], width) }))
}

function emptyLogLines({ facts, filter, ...state }: LogState): Line[] {
  const script = shownScript({ facts, filter, ...state })
  if (!script.loaded) return [span('reading the log …', 'dim')]
  if (script.blocks.length > 0) {
    return [
      span(`there is nothing for the filter "${filter}"`, 'dim'),
      [span('f', 'key'), span(' shows more', 'dim')],
    ]
  }
  const { words, meaning } = STATE_LOOKS[facts.display]
  return [span('nothing has been written yet', 'dim'), [`${facts.runner}: `, span(words, meaning)]]
}
