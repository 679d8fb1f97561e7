// Takes over the person's terminal and gives it back as it was, however we end: by returning, by throwing, or by a
// signal.

import { constants } from 'node:os'
import { MODE_RESET } from '../text/screen-filter.ts'
import type { Console, Output } from './console.ts'
import { writeNow } from './write-now.ts'

/** Saves the title, switches to a screen of our own, and clears it. */
const ENTER = '\x1b[22;0t\x1b[?1049h\x1b[2J\x1b[H'
const LEAVE = `${MODE_RESET}\x1b[2J\x1b[?1049l\x1b[23;0t\x1b[?25h\x1b[0m`

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const

export interface TakenTerminal {
  /** May be called more than once. */
  release(): void
}

export function takeTerminal({ stdin, stdout }: Console): TakenTerminal {
  let taken = true
  const giveBack = (write: (text: string) => void): void => {
    if (!taken) return
    taken = false
    process.off('exit', onExit)
    for (const signal of SIGNALS) process.off(signal, onSignal)
    stdin.setRawMode?.(false)
    stdin.pause()
    write(LEAVE)
  }
  const onExit = (): void => giveBack((text) => writeNow(guardedFile(stdout), text))
  const onSignal = (signal: NodeJS.Signals): void => {
    onExit()
    process.exit(128 + constants.signals[signal])
  }
  process.on('exit', onExit)
  for (const signal of SIGNALS) process.on(signal, onSignal)
  stdin.setRawMode?.(true)
  stdin.resume()
  stdout.write(ENTER)
  return { release: () => giveBack((text) => stdout.write(text)) }
}

const guardedFile = (stdout: Output): number =>
  'fd' in stdout && typeof stdout.fd === 'number' ? stdout.fd : 1
