// How programs are started, most of all git. A fork blocks a large process for milliseconds, and it hears no key
// meanwhile. So a process that lives long has a small one start its programs (remote-spawner.ts).

import type { Readable } from 'node:stream'

export interface SpawnRequest {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whether the program gets a process group of its own. */
  readonly detached: boolean
  /** Whether its standard input stays open for writing. Otherwise it is /dev/null. */
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
  /** undefined if the program did not exit by itself. */
  readonly exitCode: number | undefined
  /** Why it could not be run: ENOENT and the like. EFBIG or ETIMEDOUT where it went beyond a limit. */
  readonly code: string | undefined
  readonly signal: string | undefined
  readonly stdout: Buffer
  readonly stderr: Buffer
}

export interface OpenProcess {
  /** undefined if the program could not be run. */
  readonly pid: Promise<number | undefined>
  readonly stdout: Readable
  /** Does nothing once the program has ended. */
  write(input: string | Uint8Array): void
  /** Closes its standard input. */
  end(input?: string | Uint8Array): void
  /** Resolves when the program has ended and its output is read. Never rejects. */
  readonly ended: Promise<ProcessEnd>
}

export type Spawner = (request: SpawnRequest) => OpenProcess
