// Starts a program that nobody here waits for or hears of: it outlives us.

import { spawn } from 'node:child_process'
import type { LooseExec } from './exec.ts'

export function startDetached({ argv, cwd, env }: LooseExec): void {
  const [file, ...args] = argv
  const child = spawn(file, args, { cwd, env, detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
