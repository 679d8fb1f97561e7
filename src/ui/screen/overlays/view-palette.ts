// The palette as rows: what it is called, what it does or why it cannot be done now, and its key at the right.

import { type Line, type Span, span } from '../../text/line.ts'
import { type Range, recolour, spansOf } from '../../text/spans.ts'
import { elide, pad, widthOf } from '../../text/width.ts'
import { viewField } from '../edit/text-field.ts'
import { showChord } from '../keys/chord-names.ts'
import type { Look, Row, Size } from '../scene.ts'
import type { Palette, PaletteMatch } from './palette.ts'
import { listRows, paletteRect } from './palette-layout.ts'
import { airy, hintLine, type PopupView, popupBox, spreadRow, textWidth } from './popup.ts'

const MARK = ': '
const LABEL = 22

export function viewPalette(state: Palette, screen: Size, look: Look): PopupView {
  const rect = paletteRect(state, screen)
  const width = textWidth(rect)
  const field = viewField(state.field, {
    width: Math.max(1, width - MARK.length),
    ascii: look.ascii,
    placeholder: 'type what you want to do',
  })
  const room = listRows(rect)
  const found = state.matches.slice(state.top, state.top + room)
  const list: readonly Row[] = found.map((match, at) =>
    entryRow(match, { width, look, selected: state.top + at === state.selected }),
  )
  const empty: readonly Row[] =
    found.length === 0 ? [{ line: airy(span('no action is called that', 'dim')) }] : []
  const blank: readonly Row[] = Array.from({ length: room - list.length - empty.length }, () => ({
    line: '',
  }))
  const rows = [
    { line: airy([span(MARK, 'accent'), ...spansOf(field.line)]) },
    ...list,
    ...empty,
    ...blank,
    { line: airy(lastLine(state, width, look)) },
  ]
  return {
    boxes: [popupBox({ key: 'palette', rect, title: 'Actions', note: `${state.matches.length}`, rows })],
    cursor: { x: rect.x + 2 + MARK.length + field.cursor, y: rect.y + 1 },
  }
}

interface EntryLook {
  readonly width: number
  readonly look: Look
  readonly selected: boolean
}

function entryRow({ entry, inLabel, inSays }: PaletteMatch, { width, look, selected }: EntryLook): Row {
  const able = entry.whyNot === null
  const key = entry.chord === '' ? '' : showChord(entry.chord, look)
  const label = pad(elide(entry.label, LABEL), Math.min(LABEL, width))
  const room = Math.max(0, width - LABEL - 1 - widthOf(key) - 1)
  const says = elide(entry.whyNot ?? entry.says, room)
  const spans: readonly Span[] = [
    ...marked(able ? label : span(label, 'dim'), inLabel),
    ' ',
    ...marked(span(says, 'dim'), able ? inSays : []),
  ]
  const line = airy(spreadRow(spans, span(key, 'key'), width))
  return selected ? { line, bar: look.focused ? 'selected' : 'unfocused' } : { line }
}

const marked = (part: Span, ranges: readonly Range[]): readonly Span[] => recolour([part], ranges, 'accent')

function lastLine(state: Palette, width: number, look: Look): Line {
  if (state.refusal !== '') return span(elide(state.refusal, width), 'needs_you')
  return hintLine(
    [
      { key: showChord('enter', look), does: 'do it' },
      { key: look.ascii ? 'Up/Down' : '↑↓', does: 'choose' },
      { key: 'Esc', does: 'close' },
    ],
    width,
  )
}
