// Reads what the person's terminal sends, and keeps time for the parser: how long an ESC may wait.

import type { Input } from '../../person/console.ts'
import type { InputEvent } from '../input/input-event.ts'
import { createInputParser } from '../input/input-parser.ts'

/** Milliseconds after which an ESC by itself is the escape key. */
const KEY_PAUSE = 30
/** The same if the terminal sends the escape key in another way. Then an ESC that waits only shows a slow line. */
const SLOW_PAUSE = 300
/** A flag of the kitty keyboard. */
const UNAMBIGUOUS = 1

interface ReaderEvents {
  onEvent(event: InputEvent): void
  /** The terminal is gone. */
  onGone(): void
}

export class InputReader {
  readonly #stdin: Input
  readonly #gone: () => void
  readonly #listeners: Set<(event: InputEvent) => void>
  #parser = createInputParser()
  #pause = KEY_PAUSE
  #timer: NodeJS.Timeout | undefined

  constructor(stdin: Input, { onEvent, onGone }: ReaderEvents) {
    this.#stdin = stdin
    this.#gone = onGone
    this.#listeners = new Set([onEvent])
    stdin.on('data', this.#onData)
    stdin.on('end', this.#gone)
    stdin.on('error', this.#gone)
    stdin.resume()
  }

  onEvent(listener: (event: InputEvent) => void): void {
    this.#listeners.add(listener)
  }

  /** From here on input stays unread, for another program. */
  pause(): void {
    clearTimeout(this.#timer)
    this.#parser = createInputParser()
    this.#stdin.pause()
  }

  resume(): void {
    this.#stdin.resume()
  }

  /** The error listener stays, because a terminal that is gone fails once more when its modes are set back. */
  close(): void {
    this.pause()
    this.#stdin.off('data', this.#onData)
    this.#stdin.off('end', this.#gone)
    this.#stdin.off('error', this.#gone)
    this.#stdin.on('error', () => {})
    this.#listeners.clear()
  }

  readonly #onData = (chunk: Buffer): void => {
    clearTimeout(this.#timer)
    this.#tell(this.#parser.push(chunk))
    if (this.#parser.pending()) this.#timer = setTimeout(() => this.#tell(this.#parser.flush()), this.#pause)
  }

  #tell(events: readonly InputEvent[]): void {
    for (const event of events) {
      if (event.kind === 'reply' && event.reply.of === 'keyboard')
        this.#pause = (event.reply.flags & UNAMBIGUOUS) === 0 ? KEY_PAUSE : SLOW_PAUSE
      for (const listener of this.#listeners) listener(event)
    }
  }
}
