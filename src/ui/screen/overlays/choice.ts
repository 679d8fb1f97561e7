// A question before something that cannot be taken back by one key: what will happen, and a key for each way on.

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
  /** One character. Neither n nor q, which leave all as it is, as Esc and Enter do. */
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
/** The borders, and lines of air above, between and below. */
const CHROME = 5

export function viewChoice({ title, lines, ways }: Choice, screen: Size): PopupView {
  const width = textWidth(centre(screen, { columns: WIDEST, rows: 1 }))
  const told = lines.flatMap((line) => wrapLine(line, width))
  const keys = [...ways, { key: 'n', label: 'leave it as it is' }].map(
    ({ key, label }): Line => [span(key, 'key'), `  ${label}`],
  )
  const rect = centre(screen, { columns: WIDEST, rows: told.length + keys.length + CHROME })
  // The ways are never pushed out by what is told.
  const room = Math.max(0, rect.height - CHROME - keys.length)
  const rows = ['', ...told.slice(0, room), '', ...keys].map((line) => ({ line: airy(line) }))
  return { boxes: [popupBox({ key: 'choice', rect, title, rows })], cursor: null }
}
