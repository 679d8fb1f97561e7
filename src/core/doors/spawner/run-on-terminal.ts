// Runs a program on our own terminal: the person's editor, or their shell.

import type { LooseExec } from './exec.ts'

interface ProgramEnd {
  readonly exit_code: number | null
  readonly exit_signal: NodeJS.Signals | null
}

/**
 * Resolves when the program has ended. Throws if it cannot be run. The program stays in our session and may outlive
 * us. `stdout` is a descriptor of ours.
 */
export async function runOnTerminal({ argv, cwd, env }: LooseExec, stdout: 1 | 2): Promise<ProgramEnd> {
  const [file, ...args] = argv
  const { execa } = await import('execa')
  const options = {
    cwd,
    env,
    extendEnv: false,
    stdio: [0, stdout, 2],
    reject: false,
    cleanup: false,
  } as const
  const { exitCode, signal, originalMessage } = await execa(file, args, options)
  if (exitCode === undefined && signal === undefined)
    throw new Error(originalMessage ?? `could not run ${file}`)
  return { exit_code: exitCode ?? null, exit_signal: signal ?? null }
}
