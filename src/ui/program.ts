// The whole program but its way in, and the only file that knows every room. What a command does not need is not run.

import type { Built } from './built.ts'
import { runProcess } from './cli/process.ts'

interface WholeBuilt extends Built {
  /** Path of the built spawner, where the command line looks as if it opened the dashboard. */
  readonly spawnerEntry: string | null
}

/** Milliseconds until which the first frame is drawn, which need not wait for a spawner. */
const DRAWN = 400

/** Ends the process. */
export function runProgram(
  argv: readonly string[],
  { version, program, spawnerEntry, ...built }: WholeBuilt,
): Promise<void> {
  if (spawnerEntry !== null) setTimeout(() => void growOld(spawnerEntry), DRAWN).unref()
  return runProcess(argv, {
    version,
    program,
    openAgency: async (cwd, env) => {
      const [{ compose }, { createAgency }] = await Promise.all([
        import('./compose.ts'),
        import('../core/create-agency.ts'),
      ])
      return await createAgency(compose({ cwd, env, ...built }))
    },
  })
}

async function growOld(spawnerEntry: string): Promise<void> {
  const [{ startProcessesBy }, { remoteSpawner }] = await Promise.all([
    import('../core/effects/run-process.ts'),
    import('../core/spawner/remote-spawner.ts'),
  ])
  startProcessesBy(remoteSpawner(spawnerEntry))
}
