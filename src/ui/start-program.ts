// The program that starts agents and does nothing else, so that less has to be read and compiled while people wait. It
// is made of the same parts as the program of all commands, so a start is the same in both.

import { createStartingAgency } from '../core/facade/create-starting-agency.ts'
import type { HostProcess } from '../runners/host-client/boot-host.ts'
import type { Built } from './built.ts'
import { runCommandLine } from './cli/command-line.ts'
import { START_COMMANDS } from './cli/commands/start-commands.ts'
import { compose } from './compose.ts'
import { endWhenReaderLeaves, processConsole } from './person/process-console.ts'

interface StartBuilt extends Built {
  /** It boots while the command line is being read. */
  readonly bootingHost: HostProcess
}

/** Ends the process. `argv` begins with one of START_COMMANDS, and does not ask for help. */
export async function runStart(
  argv: readonly string[],
  { version, program, ...built }: StartBuilt,
): Promise<void> {
  const console = processConsole({
    version,
    program,
    openAgency: async (cwd, env) => createStartingAgency(compose({ cwd, env, ...built })),
  })
  endWhenReaderLeaves()
  process.exit(await runCommandLine(argv, START_COMMANDS, console))
}
