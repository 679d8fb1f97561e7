// Opens the whole facade, whose parts are run when a command asks for it.

import type { Agency } from '../core/facade/agency.ts'
import type { OpenAgency } from './person/console.ts'

/** `hostEntry` is the path of the built host. */
export function openWholeAgency(hostEntry: string): OpenAgency<Agency> {
  return async (cwd, env) => {
    const [{ compose }, { createAgency }] = await Promise.all([
      import('./compose.ts'),
      import('../core/facade/create-agency.ts'),
    ])
    return await createAgency(compose({ cwd, env, hostEntry }))
  }
}
