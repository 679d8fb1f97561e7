// A host's own three streams: the launch comes in, one answer goes out, complaints go to a log. Afterwards all of them
// are files, so that nothing of the starter's is held open and no later file gets their numbers.

import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { formatLine, type HostAnswer } from './launch-message.ts'

/** null where the starter closed the pipe without a whole line: it gave up, or died. */
export async function readLaunchLine(): Promise<string | null> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer)
    if ((chunk as Buffer).includes(0x0a)) break
  }
  if (!process.stdin.closed) await once(process.stdin, 'close')
  openSync('/dev/null', 'r')
  const text = Buffer.concat(chunks).toString('utf8')
  const end = text.indexOf('\n')
  return end < 0 ? null : text.slice(0, end)
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
