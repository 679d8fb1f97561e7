// Writes to a terminal without waiting for a later turn, because the process is ending or being stopped.

import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

const ATTEMPTS = 20
const PAUSE = 5

/** If the terminal is gone, nothing is left to restore. If it is full, it gets some time. */
export function writeNow(file: number, text: string): void {
  const own = openUnblocked(file)
  try {
    writeSome(own ?? file, text)
  } finally {
    if (own !== null) closeSync(own)
  }
}

function writeSome(file: number, text: string): void {
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

/**
 * Opens the terminal of a standard stream anew, so that a write to it fails where it would have to wait: a terminal
 * that nobody reads must not hold up a process that is to end. The stream itself stays as it is, because the person's
 * shell has it too. null where it is no terminal, or cannot be opened.
 */
export function openUnblocked(file: number): number | null {
  if (!isatty(file)) return null
  const path = process.platform === 'linux' ? `/proc/self/fd/${file}` : '/dev/tty'
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return null
  }
}

/** Milliseconds during which nothing else runs. */
export function waitHere(time: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time)
}

/** There is nothing to read, or no room to write. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'
