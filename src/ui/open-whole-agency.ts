// Opens the whole facade, whose parts are loaded when a command needs them.

import type { Spawner } from '../core/doors/spawner/spawner.ts'
import type { Agency } from '../core/facade/agency.ts'
import type { OpenAgency } from './person/console.ts'

export interface Entries {
  /** Path of the built host. */
  readonly hostEntry: string
  /** Path of the built spawner if the process may stay open; otherwise null. */
  readonly spawnerEntry: string | null
}

/** Every facade that it opens uses the same spawner. */
export function openWholeAgency({ spawnerEntry, ...hosts }: Entries): OpenAgency<Agency> {
  let spawner: Spawner | null = null
  return async (cwd, env) => {
    const [{ compose }, { createAgency }, { longLivedSpawner }] = await Promise.all([
      import('./compose.ts'),
      import('../core/facade/create-agency.ts'),
      import('./long-lived.ts'),
    ])
    spawner ??= spawnerEntry === null ? null : longLivedSpawner(spawnerEntry)
    return await createAgency(compose({ cwd, env, ...hosts, spawner }))
  }
}
