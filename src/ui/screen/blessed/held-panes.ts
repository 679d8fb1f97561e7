// A program says when it is in the middle of a frame. Until the frame is complete its pane keeps what it showed, but no
// longer than a person would take for a pause.

import type { Pane } from '../pane/pane.ts'

const LONGEST_MS = 150

export class HeldPanes {
  readonly #since = new Map<string, number>()

  /** Those of the panes that keep what they show. */
  among(panes: Iterable<Pane>): Set<string> {
    const held = new Set<string>()
    for (const pane of panes) if (this.#holds(pane)) held.add(pane.id)
    return held
  }

  /** Whether its frame was waited for and is now complete. */
  isReleased(pane: Pane): boolean {
    return !pane.view.midFrame && this.#since.delete(pane.id)
  }

  forget(id: string): void {
    this.#since.delete(id)
  }

  /** Milliseconds until the first of them is shown anyway; null if none is held. */
  get remaining(): number | null {
    if (this.#since.size === 0) return null
    return Math.max(1, Math.min(...this.#since.values()) + LONGEST_MS - performance.now())
  }

  #holds(pane: Pane): boolean {
    if (!pane.view.midFrame) {
      this.#since.delete(pane.id)
      return false
    }
    const now = performance.now()
    const since = this.#since.get(pane.id) ?? now
    const holds = now - since < LONGEST_MS
    this.#since.set(pane.id, holds ? since : now)
    return holds
  }
}
