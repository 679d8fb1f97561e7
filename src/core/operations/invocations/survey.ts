// Reads records for somebody who watches them all day: in slices, so that keys never wait for it, and without those
// known to be closed, so that a year's worth of them costs nothing.

import { createSlices } from '../../doors/system/slices.ts'
import type { Survey, SurveyedInvocation, SurveyOptions } from '../../facade/watching.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { BrokenInvocation, InvocationRecord } from '../../model/invocation.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { createCheckpointTally, type TallyCheckpoints } from '../../store/checkpoint-tally.ts'
import { type ClosedInvocations, recallClosed } from '../../store/closed-invocations.ts'
import { isBroken, listInvocationIds } from '../../store/invocations.ts'
import type { RepoPaths } from '../../store/paths.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktreeIds, readWorktreeIfWhole } from '../../store/worktrees.ts'
import { reconcile } from './reconcile.ts'
import { type InspectInvocation, rememberInvocations } from './remembered-invocations.ts'
import { viewInvocation } from './view-invocations.ts'

export interface SurveyRequest extends SurveyOptions {
  readonly stalled_after: number
  /** What earlier surveys have read. Without it, everything is read. */
  readonly memory?: SurveyMemory
}

export interface SurveyMemory {
  readonly tally: TallyCheckpoints
  readonly inspect: InspectInvocation
  readonly closed: ClosedInvocations
}

export const createSurveyMemory = (paths: RepoPaths): SurveyMemory => ({
  tally: createCheckpointTally(paths),
  inspect: rememberInvocations(paths),
  closed: recallClosed(paths),
})

export async function surveyInvocations(repository: Repository, request: SurveyRequest): Promise<Survey> {
  const { paths } = repository
  const { stalled_after, memory = createSurveyMemory(paths) } = request
  const rest = createSlices()
  const invocations: SurveyedInvocation[] = []
  const broken: BrokenInvocation[] = []
  const closed: InvocationId[] = []
  const worktreeOf = rememberWorktrees(repository)
  for (const id of request.only ?? listInvocationIds(paths)) {
    await rest()
    if (request.skip?.has(id) === true) continue
    if (request.open_only === true && memory.closed.has(id)) {
      closed.push(id)
      continue
    }
    const found = memory.inspect(id)
    if (found === null) continue
    if (isBroken(found)) {
      broken.push(found)
      continue
    }
    const record = await reconcile(repository, found)
    const worktree = worktreeOf(record)
    const view = viewInvocation(repository, record, { worktree, stalled_after })
    invocations.push({ ...view, checkpoints: memory.tally(id) })
  }
  memory.closed.keep()
  return { invocations, broken, closed }
}

/** All worktrees, archived ones too, oldest first. */
export async function surveyWorktrees({ paths }: Repository): Promise<readonly WorktreeRecord[]> {
  const rest = createSlices()
  const found: WorktreeRecord[] = []
  for (const id of listWorktreeIds(paths)) {
    await rest()
    const record = readWorktreeIfWhole(paths, id)
    if (record !== null) found.push(record)
  }
  return found
}

/** Reads each worktree once per survey, however many invocations name it. */
function rememberWorktrees({ paths }: Repository) {
  const known = new Map<string, WorktreeRecord | null>()
  return ({ integration_worktree_id: id }: InvocationRecord): WorktreeRecord | null => {
    const worktree = known.has(id) ? (known.get(id) ?? null) : readWorktreeIfWhole(paths, id)
    known.set(id, worktree)
    return worktree
  }
}
