// Opens the dashboard with the program of all commands.

import type { Built } from '../../../../src/ui/built.ts'
import { runCommandProcess } from '../../../../src/ui/cli/process.ts'
import { openWholeAgency } from '../../../../src/ui/open-whole-agency.ts'

export function runScreen({
  version,
  program,
  hostEntry,
  spawnerEntry,
}: Built & { readonly spawnerEntry: string }): Promise<void> {
  return runCommandProcess([], { version, program, openAgency: openWholeAgency({ hostEntry, spawnerEntry }) })
}
