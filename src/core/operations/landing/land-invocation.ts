// Puts a sandbox's work onto its integration branch and closes the sandbox. The result is computed before the lock is
// taken and published under it. The sandbox's whole state is kept under a ref before anything moves.

import type { Capture, Changeset } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import { moveRefs, reverse } from '../../doors/git/move-refs.ts'
import { readLooseBranch } from '../../doors/git/read-head.ts'
import { readTip, readTips } from '../../doors/git/read-tips.ts'
import type { Landing, LandOptions } from '../../facade/agency.ts'
import { AgencyError } from '../../model/errors.ts'
import { EXIT } from '../../model/exit-status.ts'
import type { ObjectId } from '../../model/ids.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import { isRefusal, type LandingPlan, type Refusal, refusalError } from '../../model/landing.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { appendEvent } from '../../store/events.ts'
import { isInterrupted } from '../../store/interrupted.ts'
import { readInvocation } from '../../store/invocations.ts'
import { readJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree } from '../../store/worktrees.ts'
import { checkBranchNotMoved } from '../integration/check-branch.ts'
import { branchRef, requireTree } from '../integration/check-integration-tree.ts'
import { planTreeMove, refuseMarkers, type TreeMove } from '../integration/plan-tree-move.ts'
import { publishBranch } from '../integration/publish-branch.ts'
import { type Concern, recoverJournal } from '../integration/recover-journal.ts'
import { killLeftovers } from '../invocations/kill-leftovers.ts'
import { atRest } from '../sandboxes/at-rest.ts'
import { keepSandbox } from '../sandboxes/close-sandbox.ts'
import { recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { bringSubmodules } from './bring-submodules.ts'
import { describeLanding, landingNotes } from './describe-landing.ts'
import { finishPlan, type LandingHistory, planCommits, planLanding, readHistory } from './plan-landing.ts'

/**
 * Throws E_INVOCATION_RUNNING, E_INVOCATION_CLOSED, E_BASE_MOVED, E_BRANCH_MOVED, the refusals of planLanding and what
 * publishBranch throws; then the sandbox and the branch are as they were.
 */
export async function landInvocation(
  repository: Repository,
  record: InvocationRecord,
  options: LandOptions,
): Promise<Landing> {
  if (isInterrupted(repository.paths)) {
    await repository.locked(() => recoverJournal(repository, concernOfLanding(record)))
  }
  refuseUnlessEnded(readInvocation(repository.paths, record.invocation_id))
  const worktree = readWorktree(repository.paths, record.integration_worktree_id)
  await killLeftovers(repository, record)
  try {
    return await atRest(repository, [record], async () => {
      const ready = await prepareLanding(repository, { record, worktree, options })
      return repository.locked(() => publishLanding(repository, ready))
    })
  } catch (error) {
    if (!isQuestion(error, options)) noteRefusal(repository, record, error)
    throw error
  }
}

const concernOfLanding = ({ invocation_id, integration_worktree_id }: InvocationRecord): Concern => ({
  invocations: [invocation_id],
  worktree: integration_worktree_id,
})

function refuseUnlessEnded(record: InvocationRecord): void {
  const id = record.invocation_id
  if (isClosed(record)) {
    throw new AgencyError('E_INVOCATION_CLOSED', `${id} was already ${record.landing_status}`)
  }
  if (isActive(record)) {
    throw new AgencyError('E_INVOCATION_RUNNING', `${id} is still running`, {
      hint: `agency agent stop ${id}`,
    })
  }
}

interface LandRequest {
  readonly record: InvocationRecord
  readonly worktree: WorktreeRecord
  readonly options: LandOptions
}

interface ReadyLanding extends LandRequest {
  readonly capture: Capture
  /** The branch's tip for which `plan` was made. */
  readonly head: ObjectId
  readonly plan: LandingPlan | Refusal
  /** How the tree moves by that plan, if that has been worked out already. */
  readonly move: TreeMove | null
}

/** Captures the sandbox's files while its commits are being replayed: each takes long in a large tree. */
async function prepareLanding(repository: Repository, request: LandRequest): Promise<ReadyLanding> {
  const { record, worktree, options } = request
  requireTree(repository, worktree)
  const changeset = openChangeset(repository, record)
  repository.effects.onStep('capture the sandbox')
  const [capture, { head, early }] = await Promise.all([
    changeset.captureToClose(),
    planAhead(repository, changeset, request),
  ])
  repository.effects.onStep('plan the landing')
  const asked = { record, worktree, head, tip: capture.head, capture, options }
  if (early?.tip !== capture.head) {
    return { ...request, capture, head, plan: await planLanding(repository, asked), move: null }
  }
  const plan = await finishPlan(repository, early.commits, asked)
  const move = !isRefusal(plan) && early.move?.to === plan.to ? early.move : null
  return { ...request, capture, head, plan, move }
}

async function readBranch({ git }: Repository, worktree: WorktreeRecord): Promise<ObjectId> {
  const tip = await readTip(git.store, branchRef(worktree))
  if (tip !== null) return tip
  throw branchGone(worktree)
}

const branchGone = ({ branch }: WorktreeRecord): AgencyError =>
  new AgencyError('E_BRANCH_MOVED', `the branch ${branch} is gone`)

async function planAhead(repository: Repository, changeset: Changeset, { record, worktree }: LandRequest) {
  const said = changeset.head()?.replace(/^ref: /, '') ?? record.base_commit
  const [head, tip] = await readTips(repository.git.store, [branchRef(worktree), said])
  if (!head) throw branchGone(worktree)
  if (!tip) return { head, early: null }
  const history = await readHistory(repository, { record, worktree, head, tip })
  return { head, early: await planEarly(repository, history) }
}

/** Plans the landing of the commits alone. Unless there is uncommitted work too, that is the whole landing. */
async function planEarly(repository: Repository, history: LandingHistory) {
  const { tip } = history.request
  const commits = await planCommits(repository, history)
  const wanted = !isRefusal(commits) && commits.from !== commits.to
  const move = wanted ? await planTreeMove(repository, commits.from, commits.to) : null
  return { tip, commits, move }
}

interface PlannedMove {
  readonly plan: LandingPlan
  readonly move: TreeMove
}

async function publishLanding(repository: Repository, ready: ReadyLanding): Promise<Landing> {
  const { record, worktree, capture, options } = ready
  await recoverInterrupted(repository, concernOfLanding(record))
  refuseUnlessEnded(readInvocation(repository.paths, record.invocation_id))
  const planned = await planUnderLock(repository, ready)
  refuseMarkers(planned.move)
  const left = await keepAndPublish(repository, ready, planned)
  const { from, to, landed, skipped, manner } = planned.plan
  return {
    invocation: readInvocation(repository.paths, record.invocation_id),
    worktree: readWorktree(repository.paths, worktree.worktree_id),
    from,
    to,
    landed,
    skipped,
    manner,
    notes: [...landingNotes({ record, plan: planned.plan, capture, options }), ...left],
  }
}

/**
 * The plan stays good unless the branch has moved since. Only now is the branch known to be right, so only now do
 * refusals count.
 */
async function planUnderLock(repository: Repository, ready: ReadyLanding): Promise<PlannedMove> {
  const { record, worktree, capture, options } = ready
  // The plan was made for this tip, so it is known to be a commit.
  const unmoved = readLooseBranch(repository.git.commonDir, worktree.branch) === ready.head
  const head = unmoved ? ready.head : await readBranch(repository, worktree)
  await checkBranchNotMoved(repository, worktree, head)
  if (options.require_base === true && head !== record.base_commit) throw baseMoved(ready, head)
  const same = head === ready.head
  const asked = { record, worktree, head, tip: capture.head, capture, options }
  const plan = same ? ready.plan : await planLanding(repository, asked)
  if (isRefusal(plan)) throw refusalError(plan)
  const move = same ? ready.move : null
  return { plan, move: move ?? (await planTreeMove(repository, plan.from, plan.to)) }
}

/** If the landing fails, what was kept for it is dropped again, unless a journal says that it may still come about. */
async function keepAndPublish(
  repository: Repository,
  { record, worktree, capture }: ReadyLanding,
  { plan, move }: PlannedMove,
): Promise<readonly string[]> {
  const { from, to } = plan
  const brought = await bringSubmodules(repository, { record, worktree, to, changes: move.changes })
  const kept = await keepSandbox(repository, { record, capture })
  try {
    const completion = describeLanding(repository, { record, worktree, plan, capture, kept })
    const reason = `agency: land ${record.invocation_id}`
    const left = await publishBranch(repository, worktree, { from, to, reason, move, completion })
    return [...brought, ...left]
  } catch (error) {
    if (readJournal(repository.paths, worktree.worktree_id) === null)
      await moveRefs(repository, kept.map(reverse))
    throw error
  }
}

const baseMoved = ({ record, worktree }: ReadyLanding, head: ObjectId): AgencyError =>
  new AgencyError(
    'E_BASE_MOVED',
    `${worktree.name} has moved on from ${record.base_commit.slice(0, 7)} to ${head.slice(0, 7)}`,
    { details: { base: record.base_commit, head } },
  )

/**
 * With `when_alone` the person has not said what to do with uncommitted work beside commits. They are asked now, so
 * this is no refusal.
 */
const isQuestion = (error: unknown, { apply }: LandOptions): boolean =>
  apply === 'when_alone' && error instanceof AgencyError && error.code === 'E_SANDBOX_DIRTY'

function noteRefusal({ paths }: Repository, { invocation_id }: InvocationRecord, error: unknown): void {
  if (!(error instanceof AgencyError)) return
  if (error.exitStatus !== EXIT.refused && error.exitStatus !== EXIT.conflict) return
  appendEvent(paths, invocation_id, { kind: 'land_refused', message: error.message, code: error.code })
}
