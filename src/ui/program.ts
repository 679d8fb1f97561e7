// The program of all commands. What a command does not need is not run.

import type { Built } from './built.ts'
import { runCommandProcess } from './cli/process.ts'
import { openWholeAgency } from './open-whole-agency.ts'

interface WholeBuilt extends Built {
  /** Path of the built spawner if the command may open the dashboard; otherwise null. */
  readonly spawnerEntry: string | null
}

/** Ends the process when the command is done. */
export function runProgram(
  argv: readonly string[],
  { version, program, ...begun }: WholeBuilt,
): Promise<void> {
  return runCommandProcess(argv, { version, program, openAgency: openWholeAgency(begun) })
}
