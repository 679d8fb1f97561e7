// Starts a program with pipes, through which we write its input and read its output.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { LooseExec } from './exec.ts'

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * The program has a process group of its own, so no Ctrl-C at the terminal reaches it. If it cannot be run, the child
 * has no pid and emits `error`, which the caller must listen to.
 */
export function startPiped({ argv, cwd, env }: LooseExec): PipedChild {
  const [file, ...args] = argv
  return spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
}
