// A person's terminal for the length of a test.

import type { IModes } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { runInTerminal, type TerminalProgram } from './terminal-program.ts'

export interface OuterTerminal extends Omit<TerminalProgram, 'emulator'> {
  readonly alternate: () => boolean
  /** What the program asked of it. */
  readonly modes: () => IModes
  type(text: string): void
}

export function openTerminal(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): OuterTerminal {
  const { emulator, ...program } = runInTerminal({ file, args, env })
  onTestFinished(() => program.pty.kill('SIGKILL'))
  return {
    ...program,
    alternate: () => emulator.buffer.active.type === 'alternate',
    modes: () => emulator.modes,
    type: (text) => program.pty.write(text),
  }
}
