// Answers that are still on their way when we give the terminal back would be typed into the person's shell. So we wait
// a moment and swallow them.

import { closeSync, constants, openSync, readSync } from 'node:fs'
import { isFull, waitHere } from '../../person/write-now.ts'

/** The answer to the last question. */
const LAST = /\x1b\[\?[\d;]*c/

const PAUSE = 2

/** Only works while the terminal is raw. Waits for so many milliseconds at most. */
export function swallowReplies(longest: number): void {
  const terminal = openOwnTerminal()
  if (terminal === null) return
  try {
    readUntilLast(terminal, longest)
  } finally {
    closeSync(terminal)
  }
}

function readUntilLast(terminal: number, longest: number): void {
  const buffer = Buffer.alloc(4096)
  const deadline = performance.now() + longest
  let seen = ''
  while (!LAST.test(seen) && performance.now() < deadline) {
    const read = readSome(terminal, buffer)
    if (read === null) return
    seen += buffer.toString('latin1', 0, read)
    if (read === 0) waitHere(PAUSE)
  }
}

/** null at the end of the input. */
function readSome(terminal: number, buffer: Buffer): number | null {
  try {
    return readSync(terminal, buffer) || null
  } catch (error) {
    return isFull(error) ? 0 : null
  }
}

/** The terminal is opened anew, so that it can be read without waiting and the process' own input stays as it is. */
function openOwnTerminal(): number | null {
  try {
    return openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return null
  }
}
