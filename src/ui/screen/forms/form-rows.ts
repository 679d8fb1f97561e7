// Rows of a form: a label, and beside it a field, choices, or a message below them.

import { type Line, type Span, span } from '../../text/line.ts'
import { spansOf } from '../../text/spans.ts'
import { elide, pad, widthOf } from '../../text/width.ts'
import { wrapLine } from '../../text/wrap.ts'
import { type TextField, viewField } from '../edit/text-field.ts'
import type { FieldChoice } from './agent-fields.ts'

export const LABEL_WIDTH = 12

/** A place that a click can choose: cells of the row, from 0. */
export interface ClickTarget {
  readonly from: number
  readonly to: number
  readonly value: string
}

export interface FormRow<F> {
  readonly field: F
  readonly line: Line
  /** Cells from the left, where the cursor stands in this row. */
  readonly cursor?: number
  readonly hits?: readonly ClickTarget[]
}

export interface FormRowPlace<F> {
  readonly field: F
  readonly label: string
  readonly focused: boolean
  /** Cells of the whole row. */
  readonly width: number
  readonly ascii: boolean
}

export interface FieldTexts {
  readonly field: TextField
  readonly placeholder?: string
  readonly completion?: string
}

export function fieldRow<F>(
  place: FormRowPlace<F>,
  { field, placeholder = '', completion = '' }: FieldTexts,
): FormRow<F> {
  const shown = viewField(field, {
    width: Math.max(2, place.width - LABEL_WIDTH),
    ascii: place.ascii,
    placeholder,
    completion: place.focused ? completion : '',
  })
  const line = [labelOf(place), ...spansOf(shown.line)]
  return place.focused
    ? { field: place.field, line, cursor: LABEL_WIDTH + shown.cursor }
    : { field: place.field, line }
}

const MARKS = { on: ['●', '(*)'], off: ['○', '( )'] } as const
const GAP = 3

/** All beside each other; where they do not fit, the one that is chosen and how many there are. */
export function choiceRow<F>(place: FormRowPlace<F>, choices: readonly FieldChoice[]): FormRow<F> {
  const mark = (choice: FieldChoice): string =>
    `${MARKS[choice.chosen ? 'on' : 'off'][place.ascii ? 1 : 0]} ${choice.label}`
  const widths = choices.map((choice) => widthOf(mark(choice)))
  const whole = widths.reduce((sum, width) => sum + width + GAP, LABEL_WIDTH - GAP)
  if (whole > place.width) return turningRow(place, choices)
  const spans: Span[] = [labelOf(place)]
  const hits: ClickTarget[] = []
  let at = LABEL_WIDTH
  choices.forEach((choice, index) => {
    const width = widths[index] ?? 0
    if (index > 0) spans.push(' '.repeat(GAP))
    spans.push(choice.chosen ? chosenSpan(mark(choice), place.focused) : span(mark(choice), 'dim'))
    hits.push({ from: at, to: at + width, value: choice.value })
    at += width + GAP
  })
  return { field: place.field, line: spans, hits }
}

export const textRow = <F>(place: FormRowPlace<F>, text: Span): FormRow<F> => ({
  field: place.field,
  line: [labelOf(place), text],
})

/** Below a field, as many rows as it needs. */
export const messageRows = <F>({ field, width }: FormRowPlace<F>, message: Span): readonly FormRow<F>[] =>
  wrapLine(message, Math.max(8, width - LABEL_WIDTH)).map((line) => ({
    field,
    line: [' '.repeat(LABEL_WIDTH), ...line],
  }))

function turningRow<F>(place: FormRowPlace<F>, choices: readonly FieldChoice[]): FormRow<F> {
  const index = Math.max(
    0,
    choices.findIndex(({ chosen }) => chosen),
  )
  const [left, right] = place.ascii ? ['<', '>'] : ['‹', '›']
  const count = `  ${index + 1}/${choices.length}`
  const label = elide(
    choices[index]?.label ?? '',
    Math.max(1, place.width - LABEL_WIDTH - 4 - count.length),
    'middle',
  )
  return {
    field: place.field,
    line: [labelOf(place), chosenSpan(`${left} ${label} ${right}`, place.focused), span(count, 'dim')],
  }
}

const chosenSpan = (text: string, focused: boolean): Span => (focused ? span(text, 'accent') : text)

const labelOf = ({ label, focused }: FormRowPlace<unknown>): Span =>
  span(pad(elide(label, LABEL_WIDTH - 1), LABEL_WIDTH), focused ? 'accent' : 'dim')
