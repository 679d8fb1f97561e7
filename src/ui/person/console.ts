// What the command line stands on: streams, environment, place, time, and how an Agency is opened. Handed in by the
// program, so that a test can be the terminal.

import type { Readable } from 'node:stream'
import type { Agency } from '../../core/facade/agency.ts'

/** `A` is as much of the facade as its commands need. */
export type OpenAgency<A = Agency> = (cwd: string, env: NodeJS.ProcessEnv) => Promise<A>

export interface Input extends Readable {
  readonly isTTY?: boolean
  setRawMode?(raw: boolean): unknown
}

export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

export interface Console {
  readonly version: string
  /** Path of the built command line, where it has to start itself anew. */
  readonly program: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  now(): Date
  /** Tells `listener` of Ctrl-C instead of ending the process, until the returned function is called. */
  onInterrupt(listener: () => void): () => void
}

/** One that commands are run from. */
export interface CommandConsole<A = Agency> extends Console {
  readonly openAgency: OpenAgency<A>
}

export const isInteractive = (console: Console): boolean =>
  console.stdin.isTTY === true && console.stderr.isTTY === true

/** Resolves when the stream has taken it, so that a slow reader is waited for. */
export function writeOut(stream: Output, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
