// Starts agents by the whole program, with the host that boots meanwhile.

import { createAgency } from '../../../../src/core/facade/create-agency.ts'
import type { HostProcess } from '../../../../src/runners/host-client/boot-host.ts'
import type { Built } from '../../../../src/ui/built.ts'
import { runCommandProcess } from '../../../../src/ui/cli/process.ts'
import { compose } from '../../../../src/ui/compose.ts'

export const runStart = (
  argv: readonly string[],
  { version, program, ...built }: Built & { readonly bootingHost: HostProcess },
): Promise<void> =>
  runCommandProcess(argv, {
    version,
    program,
    openAgency: async (cwd, env) => createAgency(compose({ cwd, env, ...built })),
  })
