// The canvas draws scenes on the person's terminal: only what differs, in one synchronized frame. What an agent printed
// reaches the terminal only as cells.

import type { Pane } from './pane/pane.ts'
import type { Scene, Size } from './scene.ts'
import type { ScreenTheme } from './screen-theme.ts'

/** The person's terminal, for writing. If `write` returns false, nothing should be written until `onDrain`. */
export interface ScreenOutput {
  write(text: string): boolean
  onDrain(listener: () => void): void
}

export interface CanvasOptions {
  readonly output: ScreenOutput
  readonly size: Size
  readonly theme: ScreenTheme
}

export interface Canvas {
  /** Draws it with the next frame, at most 60 a second. */
  show(scene: Scene): void
  /** Panes that scenes may name. The canvas listens to each, and draws it when it changes, without a new scene. */
  addPane(pane: Pane): void
  removePane(id: string): void
  /**
   * A key was passed to this pane. What the pane prints in the next 100 ms is drawn at once, and what others print
   * after it.
   */
  expectEcho(id: string): void
  resize(size: Size): void
  setTheme(theme: ScreenTheme): void
  /** Draws everything anew, because another program has had the terminal. */
  repaint(): void
  /** Nothing is drawn until `repaint`. */
  pause(): void
  dispose(): void
}
