// What lies on top of the dashboard: one framed box in the middle of the screen, or several that share their borders.

import { type Line, type Span, span } from '../../text/line.ts'
import { spansOf, textOf } from '../../text/spans.ts'
import { elide, widthOf } from '../../text/width.ts'
import type { Point, Rect, Row, SceneBox, Size } from '../scene.ts'

export interface PopupView {
  /** Back to front. */
  readonly boxes: readonly SceneBox[]
  readonly cursor: Point | null
}

export type PopupOutcome<T> =
  | { readonly kind: 'open' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'submitted'; readonly value: T }

export interface PopupStep<S, T> {
  readonly state: S
  readonly outcome: PopupOutcome<T>
}

export const stillOpen = <S>(state: S): PopupStep<S, never> => ({ state, outcome: { kind: 'open' } })
export const cancelled = <S>(state: S): PopupStep<S, never> => ({ state, outcome: { kind: 'cancelled' } })
export const submitted = <S, T>(state: S, value: T): PopupStep<S, T> => ({
  state,
  outcome: { kind: 'submitted', value },
})

/** Below it a popup covers the whole screen: there is none to spare. */
const ROOMY: Size = { columns: 72, rows: 20 }

/** In the middle, as large as wanted where the screen has the room. */
export function centre({ columns, rows }: Size, wanted: Size): Rect {
  const width = Math.min(wanted.columns, columns >= ROOMY.columns ? columns - 4 : columns)
  const height = Math.min(wanted.rows, rows >= ROOMY.rows ? rows - 2 : rows)
  return { x: Math.floor((columns - width) / 2), y: Math.floor((rows - height) / 2), width, height }
}

/** Cells for text inside a popup: a border and a cell of air at each side. */
export const textWidth = (rect: Rect): number => Math.max(1, rect.width - 4)

/** Of a popup of several boxes those for which a very small screen has room, from the first. */
export const fitBoxes = (boxes: readonly SceneBox[], screen: Size): readonly SceneBox[] =>
  boxes.filter(({ rect }) => rect.y + rect.height <= screen.rows)

/** With the air at its left. */
export const airy = (line: Line): Line => [' ', ...spansOf(line)]

/** Keeps the row at `at` in view: the first row to show of `count` in `height`. */
export function scrollTo(
  top: number,
  at: number,
  { count, height }: { count: number; height: number },
): number {
  const least = at - height + 1
  return Math.max(0, Math.min(Math.max(Math.min(top, at), least), count - height))
}

export interface Hint {
  /** As the person sees the key. */
  readonly key: string
  readonly does: string
}

/** Keys and what they do, as many as fit: the most needed stand first. */
export function hintLine(hints: readonly Hint[], width: number): Line {
  const spans: Span[] = []
  let used = 0
  for (const { key, does } of hints) {
    const gap = spans.length === 0 ? 0 : 2
    const cells = gap + widthOf(key) + 1 + widthOf(does)
    if (used + cells > width) break
    spans.push(' '.repeat(gap), span(key, 'key'), span(` ${does}`, 'dim'))
    used += cells
  }
  return spans
}

/** Text at the left, more at the right edge where there is room for it. */
export function spreadRow(left: readonly Span[], right: Span, width: number): Line {
  const used = left.reduce((sum, part) => sum + widthOf(textOf(part)), 0)
  const gap = width - used - widthOf(textOf(right))
  return gap < 1 ? left : [...left, ' '.repeat(gap), right]
}

export interface PopupBox {
  readonly key: string
  readonly rect: Rect
  readonly title: string
  /** Dim where it is plain text. */
  readonly note?: Span
  readonly focused?: boolean
  readonly joinsAbove?: boolean
  readonly rows: readonly Row[]
}

export const popupBox = ({
  key,
  rect,
  title,
  note,
  focused = true,
  joinsAbove = false,
  rows,
}: PopupBox): SceneBox => ({
  key,
  rect,
  border: {
    title: elide(title, Math.max(0, rect.width - 4), 'middle'),
    ...(note === undefined || note === ''
      ? {}
      : { note: typeof note === 'string' ? span(note, 'dim') : note }),
    focused,
    joinsAbove,
  },
  body: { kind: 'rows', rows },
})
