// Takes over the person's terminal and gives it back as it was, however we end: by returning, by throwing, or by a
// signal.

import { MODE_RESET } from '../text/screen-filter.ts'
import type { Console } from './console.ts'
import { endBySignal } from './end-by-signal.ts'
import { openTerminalWriter, type TerminalWriter } from './terminal-writer.ts'

/** Saves the title, switches to a screen of our own, and clears it. */
const ENTER = '\x1b[22;0t\x1b[?1049h\x1b[2J\x1b[H'
const LEAVE = `${MODE_RESET}\x1b[2J\x1b[?1049l\x1b[23;0t\x1b[?25h\x1b[0m`

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const

export interface TakenTerminal {
  readonly writer: TerminalWriter
  /** May be called more than once. */
  release(): void
}

export function takeTerminal({ stdin, stdout }: Console): TakenTerminal {
  let taken = true
  const release = (): void => {
    if (!taken) return
    taken = false
    process.off('exit', release)
    for (const signal of SIGNALS) process.off(signal, endBySignal)
    stdin.off('end', onGone)
    stdin.setRawMode?.(false)
    stdin.pause()
    writer.writeLast(LEAVE)
    writer.close()
  }
  const onGone = (): void => endBySignal('SIGHUP')
  const writer = openTerminalWriter(stdout, onGone)
  process.on('exit', release)
  for (const signal of SIGNALS) process.on(signal, endBySignal)
  stdin.on('end', onGone)
  // Stays, because a terminal that is gone fails once more when its modes are set back.
  stdin.on('error', onGone)
  stdin.setRawMode?.(true)
  stdin.resume()
  writer.write(ENTER)
  return { writer, release }
}
