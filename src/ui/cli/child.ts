// Programs that a person is given the terminal of: editors and shells.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Console } from './console.ts'

export interface ChildPlan {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Its standard output goes to our standard error: ours carries JSON. */
  readonly json: boolean
}

/** Its exit status, 128 + n for a signal as shells say it. Throws what spawn reports where it cannot be run. */
export async function runChild(console: Console, plan: ChildPlan): Promise<number> {
  const [program = '', ...args] = plan.argv
  const release = console.onInterrupt(() => {})
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: plan.cwd,
        env: plan.env,
        stdio: ['inherit', plan.json ? 2 : 'inherit', 'inherit'],
      })
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
    })
  } finally {
    release()
  }
}

export function runShell(console: Console, cwd: string, json: boolean): Promise<number> {
  const shell = console.env['SHELL'] || '/bin/sh'
  return runChild(console, { argv: [shell], cwd, env: console.env, json })
}
