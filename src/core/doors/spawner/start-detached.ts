// Starts a program that outlives us. Nobody here waits for it or hears of it.

import { spawn } from 'node:child_process'
import type { LooseExec } from './exec.ts'

export function startDetached({ argv, cwd, env }: LooseExec): void {
  const [file, ...args] = argv
  const child = spawn(file, args, { cwd, env, detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
