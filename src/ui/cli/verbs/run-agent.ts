// agency run: a worktree and its first agent in one command.

import type { StartingAgency } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { WorktreeRecord } from '../../../core/model/worktree.ts'
import { openInEditor } from '../../person/editor.ts'
import type { Call, Result } from '../commands/command.ts'
import { createNamed } from './create-named.ts'
import { startAgent } from './start-agent.ts'

export async function runAgent(call: Call<StartingAgency>): Promise<Result> {
  const made: WorktreeRecord[] = []
  const worktree = async (): Promise<string> => {
    const record = await createNamed(call)
    made.push(record)
    if (call.flag('open')) await openMadeWorktree(call, record)
    return record.worktree_id
  }
  try {
    const result = await startAgent(call, { worktree, name: call.text('agent-name') })
    return { ...result, data: { worktree: made[0], ...asObject(result.data) } }
  } catch (error) {
    throw made[0] === undefined ? error : withWorktree(error, made[0])
  }
}

async function openMadeWorktree(call: Call<StartingAgency>, { tree_path }: WorktreeRecord): Promise<void> {
  await openInEditor(call.console, { path: tree_path, config: (await call.agency()).config, json: call.json })
}

/** If the agent cannot be started, the worktree stays, so the hint has to be another one. */
function withWorktree(error: unknown, { name }: WorktreeRecord): unknown {
  if (!(error instanceof AgencyError)) return error
  return new AgencyError(error.code, `${error.message}\nThe worktree ${name} was made and stays.`, {
    hint: `${error.hint}; then: agency agent start --worktree ${name}`,
    details: { ...error.details, worktree: name },
    cause: error,
  })
}

const asObject = (data: unknown): object => (typeof data === 'object' && data !== null ? data : {})
