// A person's terminal for the length of a test.

import { Terminal } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { type Program, runInTerminal, type TerminalProgram } from './terminal-program.ts'

export type OuterTerminal = TerminalProgram

export interface Place {
  readonly columns?: number
  readonly rows?: number
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

export const openTerminal = (
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): OuterTerminal => openTerminalAt([file, ...args], { env })

export const openTerminalAt = (
  [file, ...args]: readonly [string, ...string[]],
  { columns = 80, rows = 24, ...place }: Place,
): OuterTerminal =>
  openOn({
    file,
    args,
    ...place,
    emulator: new Terminal({ cols: columns, rows, allowProposedApi: true }),
  })

/** The emulator is the test's own. */
export function openOn(program: Program): OuterTerminal {
  const terminal = runInTerminal(program)
  onTestFinished(() => terminal.pty.kill('SIGKILL'))
  return terminal
}
