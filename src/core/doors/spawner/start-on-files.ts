// Starts a program on files that are open already, be they pipes or logs.

import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Exec, ExecEnd } from './exec.ts'

/** Descriptors of ours. The child has copies of them: they can be closed once it was started. */
export interface StandardFiles {
  /** null: /dev/null. */
  readonly stdin: number | null
  readonly stdout: number
  readonly stderr: number
}

export interface StartedChild {
  readonly pid: number
  readonly exited: Promise<ExecEnd>
}

/**
 * Resolves when it has been executed, in a session of its own, without our terminal. Rejects with Node's own error where
 * it cannot be.
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
