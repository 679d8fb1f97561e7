// Starts a program whose input and output are files that we have open already, such as pipes or logs.

import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Exec, ExecEnd } from './exec.ts'

/** Descriptors of ours. The child gets copies, so ours can be closed once it has started. */
export interface StandardFiles {
  /** null stands for /dev/null. */
  readonly stdin: number | null
  readonly stdout: number
  readonly stderr: number
}

export interface StartedChild {
  readonly pid: number
  readonly exited: Promise<ExecEnd>
}

/**
 * Resolves when the program has been executed, in a session of its own and without our terminal. If it cannot be
 * executed, rejects with Node's own error.
 */
export async function startOnFiles(
  { argv, cwd, env }: Exec,
  { stdin, stdout, stderr }: StandardFiles,
): Promise<StartedChild> {
  const [file, ...args] = argv
  const stdio: StdioOptions = [stdin ?? 'ignore', stdout, stderr]
  const child = spawn(file, args, { cwd, env, detached: true, stdio })
  const exited = new Promise<ExecEnd>((resolve) =>
    child.once('exit', (exit_code, exit_signal) => resolve({ exit_code, exit_signal })),
  )
  await once(child, 'spawn')
  return { pid: child.pid ?? 0, exited }
}
