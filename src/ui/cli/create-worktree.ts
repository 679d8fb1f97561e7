// The first half of `agency run` and all of `agency worktree create`.

import { AgencyError } from '../../core/model/errors.ts'
import type { WorktreeRecord } from '../../core/model/worktree.ts'
import type { Call } from './command.ts'

/** Throws E_USAGE without --name. */
export async function createNamed(call: Call): Promise<WorktreeRecord> {
  const name = call.text('name')
  if (name === undefined) {
    throw new AgencyError('E_USAGE', '--name is missing', { hint: 'give a name: --name my-feature' })
  }
  const parent = call.text('parent')
  return (await call.agency()).createWorktree({ name, ...(parent === undefined ? {} : { parent }) })
}
