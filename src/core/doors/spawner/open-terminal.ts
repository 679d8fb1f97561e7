// Starts a program on a pseudo terminal of its own. node-pty is native and heavy to load, so import this file late.

import { type Child, spawn } from 'node-pty'
import type { Exec } from './exec.ts'

export type TerminalChild = Child

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Returns node-pty's own child, which loses output when it ends. The caller must begin to read in the same turn of the
 * event loop; host/terminal/pty.ts shows how.
 */
export function openTerminal({ argv, cwd, env }: Exec, { columns, rows }: TerminalSize): TerminalChild {
  const [file, ...args] = argv
  return spawn(file, args, {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env,
    encoding: null,
  })
}
