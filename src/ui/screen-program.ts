// The program that opens the dashboard and does nothing else, so that its first frame does not wait until all commands
// are loaded. It is made of the same parts as the program of all commands, so the dashboard is the same in both.

import type { Built } from './built.ts'
import { runRow } from './cli/run-row.ts'
import { WATCH } from './cli/verbs/watch.ts'
import { openWholeAgency } from './open-whole-agency.ts'
import { endWithStreams, processConsole } from './person/process-console.ts'

interface ScreenBuilt extends Built {
  /** Path of the built spawner. */
  readonly spawnerEntry: string
}

/** Ends the process when the dashboard is left. Only used for `agency` without arguments. */
export async function runScreen({ version, program, hostEntry, spawnerEntry }: ScreenBuilt): Promise<void> {
  const console = processConsole({
    version,
    program,
    openAgency: openWholeAgency({ hostEntry, spawnerEntry }),
  })
  endWithStreams()
  const typed = { row: WATCH, args: [], rest: [], values: new Map(), cwd: console.cwd }
  process.exit(await runRow(() => typed, console, { json: false, noColor: false }))
}
