// One line at the footer's place: a filter, a search, a new name. Its text is live: what it is for may follow each key.

import { type Span, span } from '../../text/line.ts'
import { spansOf, textOf } from '../../text/spans.ts'
import { elide, widthOf } from '../../text/width.ts'
import { openTextField, type TextField, typeInField, viewField } from '../edit/text-field.ts'
import { editingChord } from '../edit/typed-text.ts'
import type { InputEvent } from '../input/input-event.ts'
import type { Look, Rect, SceneBox } from '../scene.ts'
import { cancelled, type PopupStep, type PopupView, stillOpen, submitted } from './popup.ts'

export interface PromptLine {
  /** `filter`, `search`, `name`. */
  readonly label: string
  readonly placeholder: string
  readonly field: TextField
}

export const openPromptLine = (label: string, { text = '', placeholder = '' } = {}): PromptLine => ({
  label,
  placeholder,
  field: openTextField(text),
})

export function typeInPromptLine(state: PromptLine, event: InputEvent): PopupStep<PromptLine, string> {
  const chord = editingChord(event)
  if (chord === 'enter') return submitted(state, state.field.text)
  if (chord === 'escape' || chord === 'ctrl+c') return cancelled(state)
  if (chord === 'backspace' && state.field.text === '') return cancelled(state)
  const field = typeInField(state.field, event)
  return stillOpen(field === null ? state : { ...state, field })
}

export interface PromptLineFacts {
  /** `3 of 17`, or what is wrong with the text. */
  readonly note?: Span
}

const LEAST_FIELD = 12

/** `rect` is one row. */
export function viewPromptLine(
  state: PromptLine,
  { rect, note = '' }: PromptLineFacts & { readonly rect: Rect },
  look: Look,
): PopupView {
  const label = ` ${state.label} `
  const left = widthOf(label)
  const right = fitNote(note, rect.width - left - LEAST_FIELD)
  const width = Math.max(1, rect.width - left - (right.width === 0 ? 0 : right.width + 2))
  const { line, cursor } = viewField(state.field, {
    width,
    ascii: look.ascii,
    placeholder: state.placeholder,
  })
  const whole: SceneBox = {
    key: 'prompt',
    rect,
    border: null,
    body: { kind: 'rows', rows: [{ line: [span(label, 'accent'), ...spansOf(line)] }] },
  }
  const noted: SceneBox = {
    key: 'prompt.note',
    rect: { ...rect, x: rect.x + rect.width - right.width - 1, width: right.width },
    border: null,
    body: { kind: 'rows', rows: [{ line: right.note }] },
  }
  return {
    boxes: right.width === 0 ? [whole] : [whole, noted],
    cursor: { x: rect.x + Math.min(left + cursor, rect.width - 1), y: rect.y },
  }
}

function fitNote(note: Span, room: number): { readonly note: Span; readonly width: number } {
  const text = elide(textOf(note), Math.max(0, room - 2))
  return { note: typeof note === 'string' ? span(text, 'dim') : span(text, note.as), width: widthOf(text) }
}
