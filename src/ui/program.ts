// The whole program but its way in. What a command does not need is not run.

import type { HostProcess } from '../runners/host-client/boot-host.ts'
import type { Built } from './built.ts'
import { runProcess } from './cli/process.ts'
import { openWholeAgency } from './open-whole-agency.ts'

interface WholeBuilt extends Built {
  /** Path of the built spawner, where the command line looks as if it opened the dashboard. */
  readonly spawnerEntry: string | null
  /** It boots while the command line is being read, where that looks as if it started an agent. */
  readonly bootingHost: HostProcess | null
}

/** Ends the process. */
export function runProgram(
  argv: readonly string[],
  { version, program, ...begun }: WholeBuilt,
): Promise<void> {
  return runProcess(argv, { version, program, openAgency: openWholeAgency(begun) })
}
