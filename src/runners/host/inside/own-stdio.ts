// A host's own three streams: orders come in, one answer goes out, complaints go to a log. Afterwards all of them are
// files, so that nothing of the starter's is held open and no later file gets their numbers.

import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { formatLine, type HostAnswer } from '../launch-message.ts'

/** The starter's whole lines, until it closes the pipe or nothing more is asked of it. */
export async function* readOrders(): AsyncGenerator<string, void> {
  try {
    let text = ''
    for await (const chunk of process.stdin.setEncoding('utf8')) {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    if (!process.stdin.closed) await once(process.stdin, 'close')
    openSync('/dev/null', 'r')
  }
}

export function sendComplaintsTo(path: string): void {
  replace(2, () => openSync(path, 'a', 0o600))
}

/** A starter that has died in the meantime changes nothing. */
export function answer(message: HostAnswer): void {
  try {
    writeSync(1, formatLine(message))
  } catch {
    // Nobody is listening any more; the record says what became of the launch.
  }
  replace(1, () => openSync('/dev/null', 'w'))
}

/** The system gives a new file the lowest free number. */
function replace(fd: number, open: () => number): void {
  closeSync(fd)
  open()
}
