// The help as rows: key, name, and what it does, in columns that line up through all sections.

import { type Line, span } from '../../text/line.ts'
import { spansOf } from '../../text/spans.ts'
import { elide, pad, widthOf } from '../../text/width.ts'
import { viewField } from '../edit/text-field.ts'
import type { Binding } from '../keys/bindings.ts'
import { showChord } from '../keys/chord-names.ts'
import { GROUP_TITLES } from '../keys/group-titles.ts'
import type { Look, Size } from '../scene.ts'
import { type Help, type HelpSection, helpSections } from './help.ts'
import { helpRect, helpRows } from './help-layout.ts'
import { airy, type PopupView, popupBox, textWidth } from './popup.ts'

const MARK = '/ '
const GAP = 2
const WIDEST_KEYS = 16

interface Columns {
  readonly key: number
  readonly label: number
  readonly says: number
}

export function viewHelp(state: Help, screen: Size, look: Look): PopupView {
  const rect = helpRect(screen)
  const width = textWidth(rect)
  const field = viewField(state.field, {
    width: Math.max(1, width - MARK.length),
    ascii: look.ascii,
    placeholder: 'type to search',
  })
  const lines = helpLines(state, width, look)
  const room = helpRows(rect)
  const top = Math.max(0, Math.min(state.top, lines.length - room))
  const shown = lines.slice(top, top + room)
  const search: Line = [span(MARK, 'accent'), ...spansOf(field.line)]
  const note = lines.length > room ? `${top + shown.length}/${lines.length}` : ''
  return {
    boxes: [
      popupBox({
        key: 'help',
        rect,
        title: 'Keys',
        note,
        rows: [search, ...shown].map((line) => ({ line: airy(line) })),
      }),
    ],
    cursor: { x: rect.x + 2 + MARK.length + field.cursor, y: rect.y + 1 },
  }
}

function helpLines(state: Help, width: number, look: Look): Line[] {
  const sections = helpSections(state)
  const columns = helpColumns(sections, width, look)
  return [
    ...(sections.length === 0 ? [span('no key does that; Esc clears the search', 'dim'), ''] : []),
    ...sections.flatMap((section) => [
      heading(section),
      ...section.bindings.map((binding) => helpLine(binding, columns, look)),
      '',
    ]),
    span(
      elide(`agency ${state.facts.version}. To report what is wrong, add what agency doctor says.`, width),
      'dim',
    ),
  ]
}

const heading = ({ group, here }: HelpSection): Line => [
  span(GROUP_TITLES[group], here ? 'accent' : 'strong'),
  ...(here ? [span(': here', 'dim')] : []),
]

function helpColumns(sections: readonly HelpSection[], width: number, look: Look): Columns {
  const bindings = sections.flatMap((section) => section.bindings)
  const key = Math.min(WIDEST_KEYS, Math.max(1, ...bindings.map((binding) => widthOf(keysOf(binding, look)))))
  const widest = Math.max(1, ...bindings.map((binding) => widthOf(binding.label)))
  const label = Math.min(widest, Math.max(1, Math.floor(width / 4)))
  return { key, label, says: width - key - label - 2 * GAP }
}

function helpLine(binding: Binding, columns: Columns, look: Look): Line {
  const gap = ' '.repeat(GAP)
  return [
    span(pad(elide(keysOf(binding, look), columns.key), columns.key), 'key'),
    gap,
    pad(elide(binding.label, columns.label), columns.label),
    gap,
    span(elide(binding.says, columns.says), 'dim'),
  ]
}

const keysOf = ({ chords }: Binding, look: Look): string =>
  chords.length === 0 ? (look.ascii ? '-' : '–') : chords.map((chord) => showChord(chord, look)).join(' ')
