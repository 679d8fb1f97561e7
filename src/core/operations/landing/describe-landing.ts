// How a landing is described: for undo, in the operation log, and to the person.

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
import { closingNotes, nameIncomplete, wholeAt } from '../sandboxes/close-sandbox.ts'
import { workIn } from './plan-landing.ts'

interface LandingFacts {
  readonly record: InvocationRecord
  readonly worktree: WorktreeRecord
  readonly plan: LandingPlan
  readonly capture: Capture
  /** The refs that keepSandbox has moved, and those that will be deleted. */
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
      description: formatLanded(record, worktree, plan),
      worktree_id: worktree.worktree_id,
      invocation_ids: [record.invocation_id],
      refs,
      target: null,
    },
    { now: effects.clock.now(), random: effects.random() },
  )
  return { operation, landing_status: 'landed', whole_at: wholeAt(capture) }
}

function formatLanded(
  { invocation_id, runner }: InvocationRecord,
  { name }: WorktreeRecord,
  plan: LandingPlan,
) {
  return `landed ${shortId(invocation_id)} (${runner}) onto ${name}, ${countNouns(plan.landed.length, 'commit')}`
}

const countNouns = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

interface LandingReport {
  readonly record: InvocationRecord
  readonly plan: LandingPlan
  readonly capture: Capture
  readonly options: LandOptions
}

/** Sentences about anything that did not go as the person may expect. */
export function landingNotes({ record, plan, capture, options }: LandingReport): string[] {
  const own = `refs/heads/${record.sandbox_branch}`
  const notes: [boolean, string][] = [
    [plan.landed.length === 0, 'all of it was on the branch already'],
    [
      capture.head_ref !== own,
      `the agent had left its branch: landed what was at ${capture.head_ref?.replace('refs/heads/', '') ?? 'its detached HEAD'}`,
    ],
    [plan.foreign > 0, `on another branch too: ${countNouns(plan.foreign, 'commit')} of it`],
    [
      capture.dirty && !appliesUncommitted(workIn(record, capture), options),
      'the uncommitted work was left out; agency undo brings it back',
    ],
  ]
  return [
    ...notes.filter(([applies]) => applies).map(([, note]) => note),
    ...(capture.incomplete.length === 0
      ? closingNotes(capture)
      : [
          `git cannot hold ${nameIncomplete(capture)}, so none of it was landed: all files of the sandbox wait in the trash until gc`,
        ]),
  ]
}
