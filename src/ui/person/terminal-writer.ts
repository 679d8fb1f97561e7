// Writes to the person's terminal. Node's own stream waits inside of a write until a terminal has room, and meanwhile
// no key, no signal and no agent is heard. This one never waits: what the terminal does not take is kept for later.

import { closeSync, writeSync } from 'node:fs'
import type { Output } from './console.ts'
import { isFull, openUnblocked, writeNow } from './write-now.ts'

export interface TerminalWriter {
  /** False if some of it is waiting: nothing should be written until `onDrain`. */
  write(text: string): boolean
  onDrain(listener: () => void): void
  /** Bytes that are waiting. */
  waiting(): number
  /** Drops what is waiting, and writes this as far as the terminal takes it within a tenth of a second. */
  writeLast(text: string): void
  /** Drops what is waiting. */
  close(): void
}

/** `onGone` is called, perhaps more than once, when the terminal can no longer be written to. */
export function openTerminalWriter(stdout: Output, onGone: () => void): TerminalWriter {
  const file = 'fd' in stdout && typeof stdout.fd === 'number' ? stdout.fd : null
  const own = file === null ? null : openUnblocked(file)
  return own === null ? writeToStream(stdout, file) : new UnblockedWriter(own, onGone)
}

/** For what only passes for a terminal, and for a terminal that cannot be opened anew. */
const writeToStream = (stdout: Output, file: number | null): TerminalWriter => ({
  write: (text) => stdout.write(text),
  onDrain: (listener) => void stdout.on('drain', listener),
  waiting: () => 0,
  writeLast: (text) => void (file === null ? stdout.write(text) : writeNow(file, text)),
  close: () => {},
})

/** Milliseconds until a full terminal is asked again: twice as many each time that it has taken nothing. */
const FIRST_PAUSE = 2
const LONGEST_PAUSE = 64

class UnblockedWriter implements TerminalWriter {
  readonly #file: number
  readonly #gone: () => void
  readonly #drained = new Set<() => void>()
  #rest: Buffer = Buffer.alloc(0)
  #pause = FIRST_PAUSE
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(file: number, gone: () => void) {
    this.#file = file
    this.#gone = gone
  }

  write(text: string): boolean {
    if (this.#closed) return true
    const bytes = Buffer.from(text)
    if (this.#rest.length > 0) {
      this.#rest = Buffer.concat([this.#rest, bytes])
      return false
    }
    this.#rest = bytes
    this.#push()
    return this.#rest.length === 0
  }

  onDrain(listener: () => void): void {
    this.#drained.add(listener)
  }

  waiting(): number {
    return this.#rest.length
  }

  writeLast(text: string): void {
    if (this.#closed) return
    this.#drop()
    writeNow(this.#file, text)
  }

  close(): void {
    if (this.#closed) return
    this.#drop()
    this.#closed = true
    closeSync(this.#file)
  }

  #push(): void {
    const before = this.#rest.length
    try {
      this.#rest = this.#rest.subarray(writeSync(this.#file, this.#rest))
    } catch (error) {
      if (!isFull(error)) {
        this.#rest = Buffer.alloc(0)
        setImmediate(this.#gone)
        return
      }
    }
    if (this.#rest.length === 0) return
    this.#pause = this.#rest.length < before ? FIRST_PAUSE : Math.min(2 * this.#pause, LONGEST_PAUSE)
    this.#timer = setTimeout(this.#goOn, this.#pause)
  }

  readonly #goOn = (): void => {
    this.#push()
    if (this.#rest.length === 0) this.#tellDrained()
  }

  #drop(): void {
    clearTimeout(this.#timer)
    if (this.#rest.length === 0) return
    this.#rest = Buffer.alloc(0)
    this.#tellDrained()
  }

  #tellDrained(): void {
    this.#pause = FIRST_PAUSE
    for (const listener of this.#drained) listener()
  }
}
