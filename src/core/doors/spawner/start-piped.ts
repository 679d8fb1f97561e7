// Starts a program with pipes, through which we write its input and read its output.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { AgencyError } from '../../model/errors.ts'
import { machineError } from '../../model/system-failure.ts'
import type { LooseExec } from './exec.ts'
import { startChild } from './start-child.ts'

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * The program has a process group of its own, so no Ctrl-C at the terminal reaches it. If it cannot be run, the child
 * has no pid and emits `error`, which the caller must listen to. Throws E_TOO_MANY_FILES and the like where the system
 * starts nothing at all.
 */
export function startPiped({ argv, cwd, env }: LooseExec): PipedChild {
  const [file, ...args] = argv
  const started = startChild(() =>
    spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  if ('child' in started) return started.child
  const doing = `could not start ${file}`
  throw machineError(started.failed, doing) ?? new AgencyError('E_FILE_FAILED', `${doing}: ${started.failed}`)
}
