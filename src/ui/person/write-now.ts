// Writes to a terminal without waiting for a later turn, because the process is ending or being stopped.

import { writeSync } from 'node:fs'

const ATTEMPTS = 20
const PAUSE = 5

/** If the terminal is gone, nothing is left to restore. If it is full, it gets some time. */
export function writeNow(file: number, text: string): void {
  let rest = Buffer.from(text)
  for (let attempt = 0; attempt < ATTEMPTS && rest.length > 0; attempt += 1) {
    try {
      rest = rest.subarray(writeSync(file, rest))
    } catch (error) {
      if (!isFull(error)) return
      waitHere(PAUSE)
    }
  }
}

/** Milliseconds during which nothing else runs. */
export function waitHere(time: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time)
}

/** There is nothing to read, or no room to write. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'
