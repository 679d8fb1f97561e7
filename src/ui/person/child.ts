// Runs programs that get the person's terminal: editors and shells.

import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { runOnTerminal } from '../../core/doors/spawner/run-on-terminal.ts'
import type { Console } from './console.ts'

export interface ChildPlan {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** If true, its standard output goes to our standard error, because ours carries JSON. */
  readonly json: boolean
}

/** Its exit status; for a signal 128 + n, as in shells. Throws if it cannot be run. */
export async function runChild(console: Console, { argv, cwd, env, json }: ChildPlan): Promise<number> {
  // Node would say that the program does not exist.
  if (!existsSync(cwd)) throw new Error(`there is no directory ${cwd}`)
  const release = console.onInterrupt(() => {})
  try {
    const { exit_code, exit_signal } = await runOnTerminal({ argv, cwd, env }, json ? 2 : 1)
    return exit_signal === null ? (exit_code ?? 1) : 128 + constants.signals[exit_signal]
  } finally {
    release()
  }
}

export function runShell(console: Console, cwd: string, json: boolean): Promise<number> {
  const shell = console.env['SHELL'] || '/bin/sh'
  return runChild(console, { argv: [shell], cwd, env: console.env, json })
}
