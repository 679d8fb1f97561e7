// One line of text that a person types: a search, a name, a model. It scrolls sideways if it is too long.

import { nextBoundary } from '../../text/clusters.ts'
import type { Line, Span } from '../../text/line.ts'
import { span } from '../../text/line.ts'
import type { InputEvent } from '../input/input-event.ts'
import { cellsOf, offsetAtCell, showCells } from './cells.ts'
import { insertInLine, type LineEdit, pressInLine } from './line-edit.ts'
import { cleanLine, editingChord, typedText } from './typed-text.ts'

export type TextField = LineEdit

/** A longer name or search was pasted by mistake. */
const LONGEST = 10_000

export const openTextField = (text = ''): TextField => {
  const line = cleanLine(text).slice(0, LONGEST)
  return { text: line, cursor: line.length, killed: '' }
}

/** The field after the event; null if it has no use for the event. */
export function typeInField(field: TextField, event: InputEvent): TextField | null {
  const text = typedText(event)
  if (text !== null)
    return insertInLine(field, cleanLine(text).slice(0, Math.max(0, LONGEST - field.text.length)))
  const chord = editingChord(event)
  return chord === null ? null : pressInLine(field, chord)
}

/** A click on the field, `cell` cells from its left edge. */
export function clickInField(field: TextField, cell: number, width: number): TextField {
  const start = shownFrom(field, width)
  const inText = start === 0 ? cell : Math.max(0, cell - 1)
  return { ...field, cursor: start + offsetAtCell(field.text.slice(start), inText) }
}

export interface FieldLook {
  readonly width: number
  readonly ascii: boolean
  /** Shown dim while the field is empty. */
  readonly placeholder?: string
  /** Shown dim after the text: what a key would complete it to. */
  readonly completion?: string
}

export interface FieldView {
  readonly line: Line
  /** Cells from the left edge. */
  readonly cursor: number
}

/** At most `width` cells, the cursor among them. */
export function viewField(field: TextField, look: FieldLook): FieldView {
  if (field.text === '') return { line: [span(clip(look.placeholder ?? '', look.width), 'dim')], cursor: 0 }
  const start = shownFrom(field, look.width)
  const head: readonly Span[] = start === 0 ? [] : [span(look.ascii ? '<' : '‹', 'dim')]
  const room = look.width - head.length
  const text = clip(field.text.slice(start), room)
  const rest = clip(look.completion ?? '', room - cellsOf(text))
  return {
    line: [...head, ...showCells(text, look.ascii), ...(rest === '' ? [] : [span(rest, 'dim')])],
    cursor: head.length + cellsOf(field.text.slice(start, field.cursor)),
  }
}

/**
 * Where the visible part begins. It moves by a quarter of the width at a time and depends on the cursor alone, so that
 * the text stands still while the cursor moves through it. One cell is kept for the cursor after the end, and one for
 * the mark.
 */
function shownFrom({ text, cursor }: TextField, width: number): number {
  const cells = cellsOf(text.slice(0, cursor))
  if (cells < width) return 0
  const step = Math.max(1, Math.floor(width / 4))
  const first = Math.min(cells, Math.ceil((cells - width + 2) / step) * step)
  const start = offsetAtCell(text, first)
  return cellsOf(text.slice(0, start)) < first ? nextBoundary(text, start) : start
}

const clip = (text: string, cells: number): string => text.slice(0, offsetAtCell(text, Math.max(0, cells)))
