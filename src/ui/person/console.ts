// What the command line needs from outside: streams, environment, place, time, and a way to open the facade. It is
// handed in, so that a test can be the terminal.

import type { Readable } from 'node:stream'
import type { Agency } from '../../core/facade/agency.ts'

/** `A` is the part of the facade that the commands need. */
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
  /** Path of the built command line, for when it has to start itself anew. */
  readonly program: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  now(): Date
  /** Until the returned function is called, Ctrl-C calls `listener` instead of ending the process. */
  onInterrupt(listener: () => void): () => void
}

/** A console that commands can be run on. */
export interface CommandConsole<A = Agency> extends Console {
  readonly openAgency: OpenAgency<A>
}

export const isInteractive = (console: Console): boolean =>
  console.stdin.isTTY === true && console.stderr.isTTY === true

/** Resolves when the stream has taken it, so that we wait for a slow reader. */
export function writeOut(stream: Output, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
