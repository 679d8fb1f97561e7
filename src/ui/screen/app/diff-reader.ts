// Reads the diffs that are asked for, one at a time for each invocation: only the last answer counts.

import type { Agency } from '../../../core/agency.ts'
import type { DiffWant } from '../diff/diff-state.ts'
import { createHighlighter } from '../diff/highlighter.ts'
import type { Message } from '../state/message.ts'
import { messageOf } from './log-keeper.ts'

export class DiffReader {
  readonly #agency: Agency
  readonly #dispatch: (message: Message) => void
  /** What is wanted next of an invocation that is being read. */
  readonly #reading = new Map<string, DiffWant | null>()
  #colouring = false

  constructor(agency: Agency, dispatch: (message: Message) => void) {
    this.#agency = agency
    this.#dispatch = dispatch
  }

  read(id: string, want: DiffWant): void {
    if (!this.#colouring) void this.#colour()
    if (this.#reading.has(id)) this.#reading.set(id, want)
    else void this.#readNow(id, want)
  }

  async #readNow(id: string, want: DiffWant): Promise<void> {
    this.#reading.set(id, null)
    try {
      const diff = await this.#agency.diffInvocation(id, want)
      this.#dispatch({ kind: 'diff_read', id, diff })
    } catch (error) {
      this.#dispatch({ kind: 'diff_failed', id, error: messageOf(error) })
    }
    const next = this.#reading.get(id) ?? null
    this.#reading.delete(id)
    if (next !== null) await this.#readNow(id, next)
  }

  async #colour(): Promise<void> {
    this.#colouring = true
    this.#dispatch({ kind: 'highlighter', highlighter: await createHighlighter() })
  }
}
