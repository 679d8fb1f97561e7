// Starts a program on files that are open already, be they pipes, logs or the person's own terminal.

import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ExecEnd, LooseExec } from './exec.ts'

/** Descriptors of ours. The child has copies of them: they can be closed once it was started. */
export interface StandardFiles {
  /** null: /dev/null. */
  readonly stdin: number | null
  readonly stdout: number
  readonly stderr: number
}

interface ChildEnd extends ExecEnd {
  readonly exit_signal: NodeJS.Signals | null
}

export interface StartedChild {
  readonly pid: number
  readonly exited: Promise<ChildEnd>
}

/**
 * Resolves when it has been executed, and rejects with Node's own error where it cannot be. `apart`: in a session of its
 * own, without our terminal.
 */
export async function startOnFiles(
  { argv, cwd, env }: LooseExec,
  { stdin, stdout, stderr }: StandardFiles,
  { apart }: { readonly apart: boolean },
): Promise<StartedChild> {
  const [file, ...args] = argv
  const stdio: StdioOptions = [stdin ?? 'ignore', stdout, stderr]
  const child = spawn(file, args, { cwd, env, detached: apart, stdio })
  const exited = new Promise<ChildEnd>((resolve) =>
    child.once('exit', (exit_code, exit_signal) => resolve({ exit_code, exit_signal })),
  )
  await once(child, 'spawn')
  return { pid: child.pid ?? 0, exited }
}
