// What a landing says of itself: to undo, in the operation log, and to the person.

import type { Capture } from '../../changesets/changeset.ts'
import type { LandOptions } from '../../facade/agency.ts'
import { shortId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { appliesUncommitted, type LandingPlan } from '../../model/landing.ts'
import type { RefChange } from '../../model/operation.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Completion } from '../../store/journal.ts'
import { stampOperation } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { branchRef } from '../integration/check-integration-tree.ts'
import { closingNotes, wholeAt } from '../sandboxes/close-sandbox.ts'
import { workIn } from './plan-landing.ts'

interface LandingFacts {
  readonly record: InvocationRecord
  readonly worktree: WorktreeRecord
  readonly plan: LandingPlan
  readonly capture: Capture
  /** What keepSandbox moved, and what is to follow. */
  readonly kept: readonly RefChange[]
}

export function describeLanding(
  { effects }: Repository,
  { record, worktree, plan, capture, kept }: LandingFacts,
): Completion {
  const refs = [{ ref: branchRef(worktree), from: plan.from, to: plan.to }, ...kept]
  const operation = stampOperation(
    {
      kind: 'land',
      description: describe(record, worktree, plan),
      worktree_id: worktree.worktree_id,
      invocation_ids: [record.invocation_id],
      refs,
      target: null,
    },
    { now: effects.clock.now(), random: effects.random() },
  )
  return { operation, landing_status: 'landed', whole_at: wholeAt(capture) }
}

function describe({ invocation_id, runner }: InvocationRecord, { name }: WorktreeRecord, plan: LandingPlan) {
  return `landed ${shortId(invocation_id)} (${runner}) onto ${name}, ${count(plan.landed.length, 'commit')}`
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

interface Outcome {
  readonly record: InvocationRecord
  readonly plan: LandingPlan
  readonly capture: Capture
  readonly options: LandOptions
}

/** Whatever did not go the way that the person may think it did. */
export function landingNotes({ record, plan, capture, options }: Outcome): string[] {
  const own = `refs/heads/${record.sandbox_branch}`
  const notes: [boolean, string][] = [
    [plan.landed.length === 0, 'all of it was on the branch already'],
    [
      capture.head_ref !== own,
      `the agent had left its branch: landed what was at ${capture.head_ref?.replace('refs/heads/', '') ?? 'its detached HEAD'}`,
    ],
    [plan.foreign > 0, `on another branch too: ${count(plan.foreign, 'commit')} of it`],
    [
      capture.dirty && !appliesUncommitted(workIn(record, capture), options),
      'the uncommitted work was left out; agency undo brings it back',
    ],
  ]
  return [...notes.filter(([applies]) => applies).map(([, note]) => note), ...closingNotes(capture)]
}
