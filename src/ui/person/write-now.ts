// Writes to a terminal at once, for when the process is ending or being stopped and nothing later will run.

import { writeSync } from 'node:fs'

const ATTEMPTS = 20
const PAUSE = 5

/** A terminal that is gone has nothing left to restore; a full one gets some time. */
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

/** Milliseconds in which nothing else runs. */
export function waitHere(time: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time)
}

/** Nothing to read, or no room to write. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'
