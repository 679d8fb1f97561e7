// Programs that a person is given the terminal of: editors and shells.

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
export async function runChild(console: Console, { argv, cwd, env, json }: ChildPlan): Promise<number> {
  const [program = '', ...args] = argv
  const { execa } = await import('execa')
  const release = console.onInterrupt(() => {})
  try {
    const ended = await execa(program, args, {
      cwd,
      env,
      extendEnv: false,
      stdin: 'inherit',
      stdout: json ? 2 : 'inherit',
      stderr: 'inherit',
      reject: false,
      // It is the person's: it outlives us if they want it to.
      cleanup: false,
    })
    if (ended.exitCode !== undefined) return ended.exitCode
    if (ended.signal !== undefined) return 128 + constants.signals[ended.signal]
    throw new Error(ended.originalMessage ?? `could not run ${program}`)
  } finally {
    release()
  }
}

export function runShell(console: Console, cwd: string, json: boolean): Promise<number> {
  const shell = console.env['SHELL'] || '/bin/sh'
  return runChild(console, { argv: [shell], cwd, env: console.env, json })
}
