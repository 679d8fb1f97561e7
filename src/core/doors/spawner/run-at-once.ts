// Runs a small program to its end while everything else waits. Use it for what takes a millisecond and is needed now.

import { spawnSync } from 'node:child_process'
import type { LooseExec } from './exec.ts'

export interface EndAtOnce {
  /** null if the program did not exit by itself. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Why it could not be run. */
  readonly error: NodeJS.ErrnoException | undefined
}

/** Bytes of output: enough for a table of many thousand processes. */
const MOST_OUTPUT = 1 << 28

/** Never throws. */
export function runAtOnce({ argv, cwd, env }: LooseExec): EndAtOnce {
  const [file, ...args] = argv
  const options = { cwd, env, encoding: 'utf8', maxBuffer: MOST_OUTPUT } as const
  const { status, stdout, stderr, error } = spawnSync(file, args, options)
  return { status, stdout: stdout ?? '', stderr: stderr ?? '', error }
}
