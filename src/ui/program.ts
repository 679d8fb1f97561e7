// The whole program but its way in, and the only file that knows every room. What a command does not need is not run.

import type { HostProcess } from '../runners/host/boot-host.ts'
import { runProcess } from './cli/process.ts'

export interface Built {
  readonly version: string
  /** Path of the built command line. */
  readonly program: string
  /** Path of the built host, which lies beside it. */
  readonly hostEntry: string
  /** One that boots already, where the command line looks as if it were needed. */
  readonly bootingHost: HostProcess | null
}

/** Ends the process. */
export const runProgram = (argv: readonly string[], { version, program, ...built }: Built): Promise<void> =>
  runProcess(argv, {
    version,
    program,
    openAgency: async (cwd, env) => (await import('./compose.ts')).openAgency({ cwd, env, ...built }),
  })
