// Redoes what was undone last. The sandbox may have changed since: a discard or removal keeps it as it is now, and a
// landing is refused unless it still is what was landed before.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { keepsCapture } from '../../changesets/worktree/keep/read-kept-state.ts'
import { readTreeChanges } from '../../doors/git/compare-trees.ts'
import { findUnmoved } from '../../doors/git/move-refs.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import type { Undone } from '../../facade/agency.ts'
import { CHECKPOINT_DEFAULTS, type CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { shortId } from '../../model/ids.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import { deriveStacks, type Operation, type RefChange } from '../../model/operation.ts'
import { readInvocation } from '../../store/invocations.ts'
import { readOperations, stampOperation } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree } from '../../store/worktrees.ts'
import { branchRef } from '../integration/check-integration-tree.ts'
import { captureIntegration } from '../integration/integration-state.ts'
import { publishBranch } from '../integration/publish-branch.ts'
import { concernOf, recoverJournal } from '../integration/recover-journal.ts'
import { removeCaptured } from '../integration/remove-worktree.ts'
import { listInvocations } from '../invocations/known-invocations.ts'
import { bringSubmodules } from '../landing/bring-submodules.ts'
import {
  type CapturedSandbox,
  closingNotes,
  keepSandbox,
  keptCommits,
  trashRef,
  wholeAt,
} from '../sandboxes/close-sandbox.ts'
import { type Again, discardCaptured } from '../sandboxes/discard-invocation.ts'
import { recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { asLastDone, moved } from './plan-undo.ts'
import { reverseRestore } from './undo-restore.ts'

/** Throws E_NOTHING_TO_REDO, E_UNDO_MOVED naming what moved, and whatever the verb itself refuses. */
export async function redoLast(
  repository: Repository,
  settings: CheckpointSettings = CHECKPOINT_DEFAULTS,
): Promise<Undone> {
  return (await reverseRestore(repository, 'redo', settings)) ?? (await redoVerb(repository))
}

function redoVerb(repository: Repository): Promise<Undone> {
  return repository.locked(async () => {
    const newest = readOperations(repository.paths).at(-1)
    const finished = await recoverInterrupted(repository, newest === undefined ? {} : concernOf(newest))
    if (finished?.line.kind === 'redo') return { operation: finished.verb, notes: [INTERRUPTED] }
    const log = readOperations(repository.paths)
    const last = deriveStacks(log).undone.at(-1)
    if (last === undefined) throw new AgencyError('E_NOTHING_TO_REDO')
    await recoverJournal(repository, concernOf(last))
    return { operation: last, notes: await redoOperation(repository, asLastDone(log, last)) }
  })
}

/** We answer this instead of redoing one more: whoever repeats an interrupted redo does not want two. */
const INTERRUPTED = 'the redo was interrupted; it is finished now'

function redoOperation(repository: Repository, operation: Operation): Promise<readonly string[]> {
  switch (operation.kind) {
    case 'land':
      return landAgain(repository, operation)
    case 'discard':
      return discardAgain(repository, operation)
    case 'worktree_rm':
      return removeAgain(repository, operation)
    case 'restore':
    case 'undo':
    case 'redo':
      throw new AgencyError('E_NOTHING_TO_REDO')
  }
}

const again = ({ description, operation_id }: Operation): Again => ({
  kind: 'redo',
  description: `did again: ${description}`,
  target: operation_id,
})

async function discardAgain(repository: Repository, operation: Operation): Promise<readonly string[]> {
  const notes: string[] = []
  for (const id of operation.invocation_ids) {
    const sandbox = await captureOpen(repository, readInvocation(repository.paths, id))
    notes.push(...(await discardCaptured(repository, sandbox, again(operation))).notes)
  }
  return notes
}

async function captureOpen(repository: Repository, record: InvocationRecord): Promise<CapturedSandbox> {
  if (isClosed(record) || isActive(record)) {
    throw moved(
      `invocation ${shortId(record.invocation_id)} is ${record.landing_status ?? record.status} now`,
    )
  }
  return { record, capture: await openChangeset(repository, record).captureToClose() }
}

async function removeAgain(repository: Repository, operation: Operation): Promise<readonly string[]> {
  const worktree = readWorktree(repository.paths, operation.worktree_id)
  if (worktree.state === 'archived') throw moved(`the worktree ${worktree.name} was removed`)
  const open = listInvocations(repository.paths).invocations.filter(
    (record) => record.integration_worktree_id === worktree.worktree_id && !isClosed(record),
  )
  const sandboxes: CapturedSandbox[] = []
  for (const record of open) sandboxes.push(await captureOpen(repository, record))
  const tree = await captureIntegration(repository, worktree)
  const { notes } = await removeCaptured(repository, { worktree, sandboxes, tree }, again(operation))
  return notes
}

async function landAgain(repository: Repository, operation: Operation): Promise<readonly string[]> {
  const worktree = readWorktree(repository.paths, operation.worktree_id)
  const branch = operation.refs.find(({ ref }) => ref === branchRef(worktree))
  if (!branch?.from || !branch.to) throw moved(`the landing did not move ${worktree.branch}`)
  const { from, to } = branch
  await findUnmoved(repository, [{ ref: branch.ref, from, to: from }])
  const sandboxes = await captureAsUndone(repository, operation)
  const changes = await readTreeChanges(repository, from, to)
  const brought: string[] = []
  for (const { record } of sandboxes) {
    brought.push(...(await bringSubmodules(repository, { record, worktree, to, changes })))
  }
  const refs = [branch]
  for (const sandbox of sandboxes) refs.push(...(await keepSandbox(repository, sandbox)))
  const completion = {
    operation: describeRelanding(repository, operation, refs),
    landing_status: 'landed' as const,
    whole_at: earliest(sandboxes.map(({ capture }) => wholeAt(capture))),
  }
  const reason = `agency: ${completion.operation.description}`
  const left = await publishBranch(repository, worktree, { from, to, reason, completion })
  return [...brought, ...left, ...sandboxes.flatMap(({ capture }) => closingNotes(capture))]
}

/** The earliest of these moments; null if one of them is null, because then the files of all sandboxes stay. */
function earliest(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null)
  return known.length < moments.length ? null : Math.min(...known)
}

const describeRelanding = ({ effects }: Repository, operation: Operation, refs: RefChange[]): Operation =>
  stampOperation(
    {
      ...again(operation),
      worktree_id: operation.worktree_id,
      invocation_ids: operation.invocation_ids,
      refs,
    },
    { now: effects.clock.now(), random: effects.random() },
  )

async function captureAsUndone(repository: Repository, operation: Operation): Promise<CapturedSandbox[]> {
  const sandboxes: CapturedSandbox[] = []
  for (const id of operation.invocation_ids) {
    const sandbox = await captureOpen(repository, readInvocation(repository.paths, id))
    await refuseChangedSandbox(repository, operation, sandbox)
    sandboxes.push(sandbox)
  }
  return sandboxes
}

/** Refuses if the sandbox is not what it was: what lands again has to be what the person saw land. */
async function refuseChangedSandbox(
  repository: Repository,
  { refs }: Operation,
  { record, capture }: CapturedSandbox,
): Promise<void> {
  const id = record.invocation_id
  const commit = keptCommits(refs).get(id) ?? trashRef(id)
  if ((await readTip(repository.git.store, commit)) === null)
    throw new AgencyError('E_UNDO_EXPIRED', `the state of ${id} is no longer kept`)
  if (await keepsCapture(repository, commit, capture)) return
  throw moved(`the sandbox of ${shortId(id)} has changed since; land it again instead`)
}
