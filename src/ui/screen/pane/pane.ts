// An agent's terminal on the stage: bytes in, cells out. What it holds reaches the screen as cells only.

import type { CellSource } from '../cells/cell.ts'
import type { LineImage } from '../cells/line-image.ts'
import type { Point, Rect, Size } from '../scene.ts'

/** What the program in the pane asked of its terminal: decides how keys, pastes and the mouse are passed to it. */
export interface PaneModes {
  readonly application_cursor: boolean
  readonly application_keypad: boolean
  readonly bracketed_paste: boolean
  readonly focus_reports: boolean
  readonly mouse: 'none' | 'x10' | 'vt200' | 'drag' | 'any'
  readonly mouse_encoding: 'default' | 'sgr' | 'sgr_pixels'
  /** The kitty keyboard protocol's flags; 0 is the old encoding. */
  readonly kitty_flags: number
  readonly modify_other_keys: number
  readonly alternate_screen: boolean
}

export interface PaneFound {
  readonly at: number
  readonly of: number
}

/** What the canvas draws of a pane. */
export interface PaneView extends CellSource {
  /** null where the program hides it, or where it is scrolled out of sight. */
  readonly cursor: PaneCursor | null
  /** The program said that it is in the middle of a frame. */
  readonly midFrame: boolean
  /** Which rows may differ from when this was last asked. */
  takeDamage(): RowRange
  /** Of a row of so many columns that has moved, and can be shown as a whole; the same as before where it is as before. */
  imageOf(row: number, columns: number): LineImage | null
}

/** `to` is behind the last. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

export interface PaneCursor extends Point {
  /** As in DECSCUSR; 0 is the terminal's own. */
  readonly shape: number
}

export interface Pane {
  /** The invocation's id. */
  readonly id: string
  readonly size: Size
  /** As its program set it by OSC 0 or 2, made safe to show; empty without one. */
  readonly title: string
  readonly view: PaneView
  readonly modes: PaneModes
  /** Lines that the view is scrolled back; 0 shows the live screen. */
  readonly scrolled: number
  /** Parsed at once: when it returns, the cells are there. A megabyte takes some 20 to 60 ms, so more comes in slices. */
  write(bytes: Uint8Array): void
  /** Back to an empty terminal, before a snapshot is drawn. */
  reset(): void
  resize(size: Size): void
  scroll(lines: number): void
  scrollToEnd(): void
  /** Cells in the pane, from its upper left corner. A selection is shown inverted; `null` drops it. */
  select(range: { readonly from: Point; readonly to: Point } | null): void
  selectedText(): string
  /** Finds the text in the history and the screen, newest first, and scrolls there; null where it is not found or the text is empty. */
  find(text: string, direction: 'older' | 'newer'): PaneFound | null
  /** Told after each write that changed what is seen, and when the title or the modes change. */
  onChange(listener: () => void): () => void
  dispose(): void
}

/** Where a pane stands on the screen; null while it is not shown. */
export type PanePlace = Rect | null
