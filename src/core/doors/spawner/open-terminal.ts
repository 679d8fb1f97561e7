// Starts a program on a pseudo terminal of its own. What is loaded for it is native and heavy: import this file late.

import { type Child, spawn } from 'node-pty'
import type { Exec } from './exec.ts'

export type TerminalChild = Child

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/**
 * As node-pty gives it, which loses output at the child's end: whoever reads it must begin in the same turn of the event
 * loop, and mind what host/terminal/pty.ts says.
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
