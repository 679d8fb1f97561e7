// The whole program but its way in. What a command does not need is not run.

import type { Built } from './built.ts'
import { runCommandProcess } from './cli/process.ts'
import { openWholeAgency } from './open-whole-agency.ts'

interface WholeBuilt extends Built {
  /** Path of the built spawner, where the command line looks as if it opened the dashboard. */
  readonly spawnerEntry: string | null
}

/** Ends the process. */
export function runProgram(
  argv: readonly string[],
  { version, program, hostEntry, spawnerEntry }: WholeBuilt,
): Promise<void> {
  return runCommandProcess(argv, {
    version,
    program,
    openAgency: openWholeAgency({ hostEntry, spawnerEntry }),
  })
}
