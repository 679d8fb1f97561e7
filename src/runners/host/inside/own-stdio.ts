// A host's own three streams: orders come in, one answer goes out, complaints go to a log. After that all three are
// files, so that nothing of the starter's stays open and no later file gets their numbers.

import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { FILE_MODE, makeWay } from '../../../core/doors/system/files.ts'
import { openToAppend } from '../../../core/doors/system/regular-file.ts'
import { formatLine, type HostAnswer } from '../launch-message.ts'

/** Whole lines from the starter, until it closes the pipe or the caller wants no more. */
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
  makeWay(path)
  replace(2, () => openToAppend(path, { mode: FILE_MODE, read: false }).fd)
}

/** If the starter has died meanwhile, that changes nothing. */
export function answer(message: HostAnswer): void {
  try {
    writeSync(1, formatLine(message))
  } catch {
    // Nobody listens any more. The record says what became of the launch.
  }
  replace(1, () => openSync('/dev/null', 'w'))
}

/** Closes a stream and opens a file in its place: the system gives a new file the lowest free number. */
function replace(fd: number, open: () => number): void {
  closeSync(fd)
  open()
}
