// The first half of `agency run` and all of `agency worktree create`.

import type { StartingAgency } from '../../../core/facade/agency.ts'
import type { WorktreeRecord } from '../../../core/model/worktree.ts'
import type { Call } from '../commands/command.ts'

export async function createNamed(call: Call<StartingAgency>): Promise<WorktreeRecord> {
  const name = call.text('name') ?? ''
  const parent = call.text('parent')
  return (await call.agency()).createWorktree({ name, ...(parent === undefined ? {} : { parent }) })
}
