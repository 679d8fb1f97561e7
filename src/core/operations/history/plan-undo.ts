// Finds out whether an operation can be undone, and what that takes. Touches nothing.

import { presenceOf } from '../../changesets/presence.ts'
import { integrationTree } from '../../changesets/worktree/proof/our-tree.ts'
import { isHalfRestored } from '../../changesets/worktree/restore/restore-tree.ts'
import { findUnmoved, refMoved, reverse } from '../../doors/git/move-refs.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { lstatIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, shortId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Operation, RefChange } from '../../model/operation.ts'
import { TRASH_REFS } from '../../model/refs.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { readInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktrees, readWorktree } from '../../store/worktrees.ts'
import { branchRef } from '../integration/check-integration-tree.ts'
import { type KeptCommits, keptCommits, trashRef } from '../sandboxes/close-sandbox.ts'

export interface UndoPlan {
  /** The operation with its refs as they were last moved, by itself or by its last redo. */
  readonly operation: Operation
  readonly worktree: WorktreeRecord
  /** Where the integration branch is and where it goes; null if the operation did not move it. */
  readonly branch: { readonly from: ObjectId; readonly to: ObjectId } | null
  /** The moves that take all other refs back. */
  readonly refs: readonly RefChange[]
  readonly sandboxes: readonly { readonly record: InvocationRecord; readonly commit: ObjectId }[]
  /** The commit that keeps the removed integration tree; null if none was removed. */
  readonly worktreeCommit: ObjectId | null
}

/** The caller holds the lock. Throws E_UNDO_MOVED naming what moved, E_UNDO_EXPIRED. */
export async function planUndo(
  repository: Repository,
  log: readonly Operation[],
  last: Operation,
): Promise<UndoPlan> {
  const operation = asLastDone(log, last)
  const worktree = readWorktree(repository.paths, operation.worktree_id)
  const removed = operation.kind === 'worktree_rm'
  if (removed) refuseTakenName(repository, worktree)
  else if (worktree.state === 'archived') throw moved(`the worktree ${worktree.name} was removed`)
  const kept = keptCommits(operation.refs)
  const sandboxes = await planSandboxes(repository, operation, kept)
  const gone = removed && !isWhole(repository, worktree)
  return {
    operation,
    worktree,
    branch: removed ? null : await planIntegrationBranch(repository, operation, worktree),
    refs: await findUnmoved(repository, otherRefs(operation, worktree).map(reverse)),
    sandboxes,
    worktreeCommit: gone ? await findKept(repository, kept, worktree.worktree_id) : null,
  }
}

/** What a killed undo has begun to bring back counts as gone: it is begun anew. */
const isWhole = (repository: Repository, worktree: WorktreeRecord): boolean =>
  lstatIfThere(worktree.tree_path) !== null && !isHalfRestored(integrationTree(repository, worktree))

/** The operation with the refs of its last redo, if it was redone: a redo moves its refs anew. */
export function asLastDone(log: readonly Operation[], operation: Operation): Operation {
  const again = log.findLast(({ kind, target }) => kind === 'redo' && target === operation.operation_id)
  return again === undefined ? operation : { ...operation, refs: again.refs }
}

/** The refs that one transaction moves back. Kept states stay until gc, as a second chance. */
function otherRefs({ refs, kind }: Operation, worktree: WorktreeRecord): RefChange[] {
  const published = kind === 'worktree_rm' ? null : branchRef(worktree)
  return refs.filter(({ ref }) => !ref.startsWith(TRASH_REFS) && ref !== published)
}

async function planIntegrationBranch(
  { git }: Repository,
  { refs }: Operation,
  worktree: WorktreeRecord,
): Promise<UndoPlan['branch']> {
  const change = refs.find(({ ref }) => ref === branchRef(worktree))
  if (change === undefined || change.from === null) return null
  const tip = await readTip(git.store, change.ref)
  if (tip === null || (tip !== change.to && tip !== change.from)) throw refMoved(reverse(change), tip)
  return { from: tip, to: change.from }
}

async function planSandboxes(
  repository: Repository,
  { kind, invocation_ids }: Operation,
  kept: KeptCommits,
): Promise<UndoPlan['sandboxes']> {
  const closed = closedBy(kind)
  const sandboxes = []
  for (const id of invocation_ids) {
    const record = readInvocation(repository.paths, id)
    // Skipped, because an undo that was killed has brought it back already.
    if (record.landing_status === 'pending' && presenceOf(record) !== 'gone') continue
    if (record.landing_status !== closed) {
      throw moved(`invocation ${shortId(id)} is ${record.landing_status ?? 'running'} now, and not ${closed}`)
    }
    sandboxes.push({ record, commit: await findKept(repository, kept, id) })
  }
  return sandboxes
}

/** How a verb leaves the invocations that it names. A restore closes none, and an undo is not undone. */
function closedBy(kind: Operation['kind']): 'landed' | 'discarded' {
  switch (kind) {
    case 'land':
      return 'landed'
    case 'discard':
    case 'worktree_rm':
      return 'discarded'
    case 'restore':
    case 'undo':
    case 'redo':
      throw new AgencyError('E_NOTHING_TO_UNDO')
  }
}

async function findKept({ git }: Repository, kept: KeptCommits, id: string): Promise<ObjectId> {
  const commit = kept.get(id) ?? null
  const tip = await readTip(git.store, trashRef(id))
  if (commit === null || tip === null) {
    throw new AgencyError('E_UNDO_EXPIRED', `the state of ${id} is no longer kept`)
  }
  if (tip !== commit) throw refMoved({ ref: trashRef(id), from: commit, to: null }, tip)
  return commit
}

function refuseTakenName({ paths }: Repository, { name, worktree_id }: WorktreeRecord): void {
  const taken = listWorktrees(paths).find(
    (other) => other.state === 'present' && other.name === name && other.worktree_id !== worktree_id,
  )
  if (taken !== undefined) throw moved(`another worktree is called ${name} now`)
}

export const moved = (what: string): AgencyError => new AgencyError('E_UNDO_MOVED', what)
