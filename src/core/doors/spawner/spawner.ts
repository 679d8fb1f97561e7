// Starting programs, git before all. A process that has grown blocks for milliseconds with each fork, in which no key is
// heard: one that lives long has a small process of its own start them (see remote-spawner.ts).

import type { Readable } from 'node:stream'

export interface SpawnRequest {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** All of it. */
  readonly env: Readonly<Record<string, string>>
  /** In a process group of its own. */
  readonly detached: boolean
  /** Its standard input stays open, to be written to; else it is /dev/null. */
  readonly input: boolean
  /** None where it is missing. */
  readonly limits?: SpawnLimits | undefined
}

/** A program that goes beyond one of these is killed, and its output is lost. */
export interface SpawnLimits {
  /** Bytes, errors included. All of it is held in memory. */
  readonly mostOutput: number
  /** In milliseconds. */
  readonly longest: number
}

export interface ProcessEnd {
  /** undefined where it did not exit by itself. */
  readonly exitCode: number | undefined
  /** Why it could not be run: ENOENT and the like. EFBIG or ETIMEDOUT where it went beyond a limit. */
  readonly code: string | undefined
  readonly signal: string | undefined
  readonly stdout: Buffer
  readonly stderr: Buffer
}

export interface OpenProcess {
  /** undefined where it could not be run. */
  readonly pid: Promise<number | undefined>
  readonly stdout: Readable
  /** Does nothing once it has ended. */
  write(input: string | Uint8Array): void
  /** Closes its standard input. */
  end(input?: string | Uint8Array): void
  /** Resolves when it has ended and its output is read; never rejects. */
  readonly ended: Promise<ProcessEnd>
}

export type Spawner = (request: SpawnRequest) => OpenProcess
