// What the screen is to show, as data: boxes from back to front, each with a border and either rows of text or an
// agent's live terminal. Views make it; the canvas draws it; nothing here knows a terminal.

import type { Line } from '../text/line.ts'

/** In cells. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Point {
  /** Cells from the left, from 0. */
  readonly x: number
  /** Cells from the top, from 0. */
  readonly y: number
}

export interface Rect extends Point {
  readonly width: number
  readonly height: number
}

/** A bar lies under the whole row, from edge to edge of its box. */
export type Bar = 'selected' | 'unfocused' | 'added' | 'removed'

export interface Row {
  readonly line: Line
  readonly bar?: Bar
}

export interface Border {
  /** Stands in the top line; shortened in the middle where it does not fit. */
  readonly title: Line
  /** Stands at the right of the top line; left out where it does not fit. */
  readonly note?: Line
  readonly focused: boolean
  /** Shares its top line with the box above: its upper corners are tees. */
  readonly joinsAbove?: boolean
}

/** `pane` is the id of the invocation whose terminal it is. */
export type Body =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'pane'; readonly pane: string }

export interface SceneBox {
  /** The same from frame to frame, and different from every other box of the scene. */
  readonly key: string
  /** With its border. */
  readonly rect: Rect
  readonly border: Border | null
  /** Rows beyond the height are cut off, and text beyond the width. */
  readonly body: Body
}

/** Where the cursor stands: in the terminal of a pane, at a place of ours, or nowhere. */
export type Cursor =
  | { readonly kind: 'pane'; readonly pane: string }
  | { readonly kind: 'at'; readonly point: Point }
  | null

export interface Scene {
  readonly size: Size
  /** Back to front. */
  readonly boxes: readonly SceneBox[]
  readonly cursor: Cursor
}

/** What every view is given besides its state and its place. */
export interface Look {
  readonly now: Date
  readonly focused: boolean
  /** Glyphs of ASCII only. */
  readonly ascii: boolean
  /** Counts at 4 a second, for the spinner. */
  readonly tick: number
}

/** The place inside a border. */
export const innerRect = (rect: Rect): Rect => ({
  x: rect.x + 1,
  y: rect.y + 1,
  width: Math.max(0, rect.width - 2),
  height: Math.max(0, rect.height - 2),
})

export const rows = (...lines: readonly Line[]): Row[] => lines.map((line) => ({ line }))
