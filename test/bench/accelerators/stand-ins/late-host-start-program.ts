// What starts agents, and boots a host when it is wanted.

import { createStartingAgency } from '../../../../src/core/facade/create-starting-agency.ts'
import type { Built } from '../../../../src/ui/built.ts'
import { runCommandLine } from '../../../../src/ui/cli/command-line.ts'
import { START_COMMANDS } from '../../../../src/ui/cli/commands/start-commands.ts'
import { compose } from '../../../../src/ui/compose.ts'
import { endWhenReaderLeaves, processConsole } from '../../../../src/ui/person/process-console.ts'

export async function runStart(
  argv: readonly string[],
  { version, program, hostEntry }: Built,
): Promise<void> {
  const console = processConsole({
    version,
    program,
    openAgency: async (cwd, env) => createStartingAgency(compose({ cwd, env, hostEntry })),
  })
  endWhenReaderLeaves()
  process.exit(await runCommandLine(argv, START_COMMANDS, console))
}
