// How this process ends when a signal ends it, or when its terminal is gone, which is as good as SIGHUP.

import { closeSync, fstatSync, openSync } from 'node:fs'
import { devNull, constants as system } from 'node:os'
import { isatty } from 'node:tty'

/**
 * From here on every end of the process is an end by this signal, so that whoever waits for the process sees what it
 * was. Everything else that listens to the exit is called before. The first signal stays. SIGQUIT only gets its status,
 * because by itself it would leave a core.
 */
export function becomeEndedBy(signal: NodeJS.Signals): void {
  if (endedBy !== null) return
  endedBy = signal
  process.on('exit', () => {
    process.exitCode = statusFor(signal)
    if (signal === 'SIGQUIT') return
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

let endedBy: NodeJS.Signals | null = null

/** Ends the process now. */
export function endBySignal(signal: NodeJS.Signals): never {
  becomeEndedBy(signal)
  process.exit(statusFor(signal))
}

/** As shells tell it. Also for systems that do not deliver a process' own signal at once. */
const statusFor = (signal: NodeJS.Signals): number => 128 + system.signals[signal]

const STANDARD = [0, 1, 2] as const

/** Those of our standard streams that were terminals when we began. */
const terminals = STANDARD.filter((file) => isatty(file))

/**
 * Whether the window was closed: then the terminal is none any more. `error` is from a standard stream, and shows it
 * even if the window was closed before we began.
 */
export function hasLostTerminal(error?: unknown): boolean {
  const lost = STANDARD.filter(isNoTerminalAnyMore)
  return lost.length > 0 && (hasFailed(error) || lost.some((file) => terminals.includes(file)))
}

const hasFailed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EIO'

/**
 * Node 20 aborts if it cannot set back the modes of a terminal when it exits. It leaves alone what is not the file that
 * it began with.
 */
export function letGoOfLostTerminal(): void {
  for (const file of STANDARD) if (isNoTerminalAnyMore(file)) replaceByNothing(file)
}

/** Also true of devices that never were a terminal, such as the null device. */
function isNoTerminalAnyMore(file: number): boolean {
  try {
    return !isatty(file) && fstatSync(file).isCharacterDevice()
  } catch {
    return false
  }
}

/** The lowest free number is given to the file that is opened next. */
function replaceByNothing(file: number): void {
  closeSync(file)
  openSync(devNull, 'r+')
}
