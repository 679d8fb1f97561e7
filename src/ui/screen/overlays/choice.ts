// A question before something that one key cannot take back: what will happen, and a key for each way to go on.

import { type Line, span } from '../../text/line.ts'
import { wrapLine } from '../../text/wrap.ts'
import { editingChord } from '../edit/typed-text.ts'
import type { InputEvent } from '../input/input-event.ts'
import type { Size } from '../scene.ts'
import type { Command } from '../state/message.ts'
import {
  airy,
  cancelled,
  centre,
  type PopupStep,
  type PopupView,
  popupBox,
  stillOpen,
  submitted,
  textWidth,
} from './popup.ts'

export interface Choice {
  readonly title: string
  readonly lines: readonly Line[]
  readonly ways: readonly Way[]
}

export interface Way {
  /** One character, but not n or q: these leave everything as it is, like Esc and Enter. */
  readonly key: string
  readonly label: string
  readonly commands: readonly Command[]
}

export function typeInChoice(choice: Choice, event: InputEvent): PopupStep<Choice, readonly Command[]> {
  const chord = editingChord(event)
  if (chord === null) return stillOpen(choice)
  if (['escape', 'enter', 'n', 'N', 'q', 'ctrl+c'].includes(chord)) return cancelled(choice)
  const way = choice.ways.find(({ key }) => key === chord.toLowerCase())
  return way === undefined ? stillOpen(choice) : submitted(choice, way.commands)
}

const WIDEST = 72
/** Rows that the borders and the blank lines above, between and below take. */
const CHROME = 5

export function viewChoice({ title, lines, ways }: Choice, screen: Size): PopupView {
  const width = textWidth(centre(screen, { columns: WIDEST, rows: 1 }))
  const told = lines.flatMap((line) => wrapLine(line, width))
  const keys = [...ways, { key: 'n', label: 'leave it as it is' }].map(
    ({ key, label }): Line => [span(key, 'key'), `  ${label}`],
  )
  const rect = centre(screen, { columns: WIDEST, rows: told.length + keys.length + CHROME })
  // However long the text is, the ways stay visible.
  const room = Math.max(0, rect.height - CHROME - keys.length)
  const rows = ['', ...told.slice(0, room), '', ...keys].map((line) => ({ line: airy(line) }))
  return { boxes: [popupBox({ key: 'choice', rect, title, rows })], cursor: null }
}
