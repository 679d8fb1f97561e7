// Starts a program whose output is read here, by pipes.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { LooseExec } from './exec.ts'

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * In a process group of its own: what is typed at the terminal does not reach it. Where it cannot be run it has no pid
 * and says `error`, which must be listened to.
 */
export function startPiped({ argv, cwd, env }: LooseExec): PipedChild {
  const [file, ...args] = argv
  return spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
}
