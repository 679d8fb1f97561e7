// Starts a program that outlives us. Nobody here waits for it or hears of it, not even that it could not be started.

import { spawn } from 'node:child_process'
import type { LooseExec } from './exec.ts'
import { startChild } from './start-child.ts'

export function startDetached({ argv, cwd, env }: LooseExec): void {
  const [file, ...args] = argv
  const started = startChild(() => spawn(file, args, { cwd, env, detached: true, stdio: 'ignore' }))
  if ('failed' in started) return
  started.child.on('error', () => {})
  started.child.unref()
}
