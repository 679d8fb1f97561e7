// An agent's terminal on the stage: bytes go in, cells come out. Nothing else of it reaches the screen.

import type { CellSource } from '../cells/cell.ts'
import type { Point, Rect, Size } from '../scene.ts'

/** What the program in the pane has asked of its terminal. It decides how keys, pastes and the mouse are passed on. */
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
  /** null if the program hides the cursor, or if it is scrolled out of sight. */
  readonly cursor: PaneCursor | null
  /** Whether the program has said that it is in the middle of a frame. */
  readonly midFrame: boolean
  /** The rows that may have changed since this was last called. */
  takeDamage(): RowRange
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
  /** The title that its program has set by OSC 0 or 2, made safe to show; empty without one. */
  readonly title: string
  readonly view: PaneView
  readonly modes: PaneModes
  /** Lines that the view is scrolled back; 0 shows the live screen. */
  readonly scrolled: number
  /**
   * Parses at once: when it returns, the cells are there. A megabyte takes about 20 to 60 ms, so more than that comes
   * in slices.
   */
  write(bytes: Uint8Array): void
  /** Becomes what the emulator of its host is. Throws on bytes that are no state. */
  load(state: Uint8Array): void
  /** Makes the terminal empty again, before a snapshot is drawn. */
  reset(): void
  resize(size: Size): void
  scroll(lines: number): void
  scrollToEnd(): void
  /** `range` is in cells from the pane's upper left corner. A selection is shown inverted; `null` drops it. */
  select(range: { readonly from: Point; readonly to: Point } | null): void
  selectedText(): string
  /** Finds the text in the history and the screen, newest first, and scrolls there; null where it is not found or the text is empty. */
  find(text: string, direction: 'older' | 'newer'): PaneFound | null
  /** Called after each write that changes what is seen, and when the title or the modes change. */
  onChange(listener: () => void): () => void
  dispose(): void
}

/** Where a pane stands on the screen; null while it is not shown. */
export type PanePlace = Rect | null
