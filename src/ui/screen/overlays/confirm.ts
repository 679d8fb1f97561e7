// Asks once before what cannot be taken back: what will happen, then yes or no.

import { type Line, type Span, span } from '../../text/line.ts'
import { wrapLine } from '../../text/wrap.ts'
import { editingChord } from '../edit/typed-text.ts'
import type { InputEvent } from '../input/input-event.ts'
import type { Look, Rect, Size } from '../scene.ts'
import {
  airy,
  cancelled,
  centre,
  type PopupView,
  popupBox,
  type Step,
  stillOpen,
  submitted,
  textWidth,
} from './popup.ts'

export interface Question {
  readonly title: string
  /** What will happen. */
  readonly lines: readonly Line[]
  /** `kill it`. */
  readonly yes: string
  /** `leave it`. */
  readonly no: string
  /** What Enter does. */
  readonly usually: 'yes' | 'no'
}

export interface Confirm {
  readonly question: Question
  readonly chosen: 'yes' | 'no'
  /** First line that is shown. */
  readonly top: number
}

export const openConfirm = (question: Question): Confirm => ({ question, chosen: question.usually, top: 0 })

/** Submitted is a yes. */
export function typeInConfirm(state: Confirm, event: InputEvent, screen: Size): Step<Confirm, 'yes'> {
  switch (editingChord(event)) {
    case 'y':
    case 'Y':
      return submitted(state, 'yes')
    case 'n':
    case 'N':
    case 'q':
    case 'escape':
    case 'ctrl+c':
      return cancelled(state)
    case 'enter':
      return state.chosen === 'yes' ? submitted(state, 'yes') : cancelled(state)
    case 'left':
    case 'right':
    case 'tab':
      return stillOpen({ ...state, chosen: state.chosen === 'yes' ? 'no' : 'yes' })
    case 'up':
      return stillOpen({ ...state, top: layOut(state, screen).top - 1 })
    case 'down':
      return stillOpen({ ...state, top: layOut(state, screen).top + 1 })
    default:
      return stillOpen(state)
  }
}

const WIDEST = 72
/** The borders, a line of air above and below the words, the answers. */
const CHROME = 5

export function viewConfirm(state: Confirm, screen: Size, look: Look): PopupView {
  const { rect, lines, top, room } = layOut(state, screen)
  const { title } = state.question
  const shown = lines.slice(top, top + room)
  const note = lines.length > room ? `${top + shown.length}/${lines.length}` : ''
  const rows = [' ', ...shown, ' ', answers(state, look)].map((line) => ({ line: airy(line) }))
  return { boxes: [popupBox({ key: 'confirm', rect, title, note, rows })], cursor: null }
}

interface Layout {
  readonly rect: Rect
  /** All of them. */
  readonly lines: readonly Line[]
  readonly top: number
  readonly room: number
}

function layOut({ question, top }: Confirm, screen: Size): Layout {
  const width = textWidth(centre(screen, { columns: WIDEST, rows: 1 }))
  const lines = question.lines.flatMap((line) => wrapLine(line, width))
  const rect = centre(screen, { columns: WIDEST, rows: lines.length + CHROME })
  const room = Math.max(1, rect.height - CHROME)
  return { rect, lines, top: Math.max(0, Math.min(top, lines.length - room)), room }
}

function answers({ question: { yes, no }, chosen }: Confirm, look: Look): Line {
  const mark = look.ascii ? '>' : '▸'
  const answer = (key: string, label: string, is: boolean): readonly Span[] => [
    span(is ? `${mark} ` : '  ', 'accent'),
    span(key, 'key'),
    is ? span(` ${label}`, 'accent') : span(` ${label}`, 'dim'),
  ]
  return [...answer('y', yes, chosen === 'yes'), '   ', ...answer('n', no, chosen === 'no')]
}
