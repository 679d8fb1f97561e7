// The real process as a console: its streams, its Ctrl-C, its place and time.

import type { Agency } from '../../core/facade/agency.ts'
import type { CommandConsole, OpenAgency } from './console.ts'

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

/** `agency log | head` is no error: whoever read our output has what they wanted. Nor is any signal of a limit an end. */
export function endWhenReaderLeaves(): void {
  // Whoever listens to it is told of a file that would be too large by an error, instead of being ended.
  process.on('SIGXFSZ', () => {})
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
  }
}
