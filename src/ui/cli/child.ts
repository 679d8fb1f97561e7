// Programs that a person is given the terminal of: editors and shells.

import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import type { Console } from './console.ts'

export interface ChildPlan {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Its standard output goes to our standard error: ours carries JSON. */
  readonly json: boolean
}

/** Its exit status, 128 + n for a signal as shells say it. Throws where it cannot be run. */
export async function runChild(console: Console, plan: ChildPlan): Promise<number> {
  const { spawn } = await import('node:child_process')
  const release = console.onInterrupt(() => {})
  try {
    return await runToEnd(spawn, plan)
  } finally {
    release()
  }
}

/** It is the person's: it outlives us if they want it to. */
function runToEnd(
  spawn: typeof import('node:child_process').spawn,
  { argv: [program = '', ...args], cwd, env, json }: ChildPlan,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['inherit', json ? 2 : 'inherit', 'inherit'] })
    child.once('error', (error) => reject(existsSync(cwd) ? error : new Error(`${cwd} is not there`)))
    child.once('close', (status, signal) =>
      resolve(status ?? (signal === null ? 1 : 128 + constants.signals[signal])),
    )
  })
}

export function runShell(console: Console, cwd: string, json: boolean): Promise<number> {
  const shell = console.env['SHELL'] || '/bin/sh'
  return runChild(console, { argv: [shell], cwd, env: console.env, json })
}
