// The real process as a console: its streams, its Ctrl-C, its place and time.

import type { Agency } from '../../core/facade/agency.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { CommandConsole, OpenAgency } from './console.ts'
import { endBySignal, hasLostTerminal, letGoOfLostTerminal } from './end-by-signal.ts'
import { writeNow } from './write-now.ts'

export interface Composition<A = Agency> {
  readonly version: string
  /** Path of the built command line. */
  readonly program: string
  readonly openAgency: OpenAgency<A>
}

export function processConsole<A>({ version, program, openAgency }: Composition<A>): CommandConsole<A> {
  return {
    version,
    program,
    openAgency,
    /** Opened only when it is read, not at every Tab of a completion. */
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    now: () => new Date(),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
  }
}

/**
 * Ends the process as its standard streams end. `agency log | head` is no error: whoever read our output has what they
 * wanted. A terminal that is gone is as good as SIGHUP, which only its own session is sent.
 */
export function endWithStreams(): void {
  process.on('exit', letGoOfLostTerminal)
  // Whoever listens to it is told of a file that would be too large by an error, instead of being ended.
  process.on('SIGXFSZ', () => {})
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (hasLostTerminal(error)) hangUp()
      else if (error.code === 'EPIPE') process.exit(0)
      else failToWrite(error)
    })
  }
}

/** Whoever listens to the signal has something to save first, or is saving it already. */
function hangUp(): void {
  if (process.listenerCount('SIGHUP') > 0) process.kill(process.pid, 'SIGHUP')
  else endBySignal('SIGHUP')
}

/** For example `agency log > /dev/full`. */
function failToWrite(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error
  const { code, message, hint, exitStatus } = new AgencyError(
    'E_DISK_FULL',
    'could not write the output: the disk is full',
  )
  writeNow(2, `error_code: ${code}\n${message}\nhint: ${hint}\n`)
  process.exit(exitStatus)
}
