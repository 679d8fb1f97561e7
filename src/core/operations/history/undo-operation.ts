// Undoes the last verb: refs, trees and records go back to what they were. Everything is checked first; if something
// has moved since, it is named and nothing is touched. The log decides what a kill leaves: before the undo's line is
// written, the verb still counts as done; after it, as undone. The next command brings records and trees to that.

import { integrationTree } from '../../changesets/worktree/proof/our-tree.ts'
import { restoreTree } from '../../changesets/worktree/restore/restore-tree.ts'
import { moveRefs, reverse } from '../../doors/git/move-refs.ts'
import type { Undone } from '../../facade/agency.ts'
import { CHECKPOINT_DEFAULTS, type CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { deriveStacks, type Operation } from '../../model/operation.ts'
import { TRASH_REFS } from '../../model/refs.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import { readJournal } from '../../store/journal.ts'
import { appendStamped, readOperations, stampOperation } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { finishIntegration } from '../integration/integration-state.ts'
import { publishBranch } from '../integration/publish-branch.ts'
import { concernOf, recoverJournal } from '../integration/recover-journal.ts'
import { finishClosing, leftOf } from '../sandboxes/finish-closing.ts'
import { recoverInterrupted, reopenRecords } from '../sandboxes/recover-closing.ts'
import { restoreSandbox } from '../sandboxes/restore-sandbox.ts'
import { planUndo, type UndoPlan } from './plan-undo.ts'
import { reverseRestore } from './undo-restore.ts'

/** Throws E_NOTHING_TO_UNDO, E_UNDO_MOVED naming what moved, E_UNDO_EXPIRED, and what publishBranch refuses. */
export async function undoLast(
  repository: Repository,
  settings: CheckpointSettings = CHECKPOINT_DEFAULTS,
): Promise<Undone> {
  return (await reverseRestore(repository, 'undo', settings)) ?? (await undoVerb(repository))
}

function undoVerb(repository: Repository): Promise<Undone> {
  return repository.locked(async () => {
    const newest = readOperations(repository.paths).at(-1)
    const finished = await recoverInterrupted(repository, newest === undefined ? {} : concernOf(newest))
    if (finished?.line.kind === 'undo') return { operation: finished.verb, notes: [INTERRUPTED] }
    const log = readOperations(repository.paths)
    const last = deriveStacks(log).done.at(-1)
    if (last === undefined) throw new AgencyError('E_NOTHING_TO_UNDO')
    await recoverJournal(repository, concernOf(last))
    const plan = await planUndo(repository, log, last)
    try {
      return { operation: last, notes: await carryOutUndo(repository, plan) }
    } catch (error) {
      await takeUndoBack(repository, plan)
      throw error
    }
  })
}

/** We answer this instead of undoing one more: whoever repeats an interrupted undo does not want two. */
const INTERRUPTED = 'the undo was interrupted; it is finished now'

async function carryOutUndo(repository: Repository, plan: UndoPlan): Promise<string[]> {
  repository.effects.onStep('move the refs back')
  await moveRefs(repository, plan.refs)
  const notes = await bringTreesBack(repository, plan)
  repository.effects.onStep('write that it is undone')
  return [...notes, ...(await writeUndone(repository, plan))]
}

async function bringTreesBack(repository: Repository, plan: UndoPlan): Promise<string[]> {
  const { paths } = repository
  const { worktree, worktreeCommit } = plan
  const notes: string[] = []
  if (worktreeCommit !== null) {
    const restored = await restoreTree(repository, integrationTree(repository, worktree), worktreeCommit)
    await updateWorktree(paths, worktree.worktree_id, { git_dir: restored.git_dir })
    notes.push(...restored.notes)
  }
  for (const { record, commit } of plan.sandboxes) {
    const restored = await restoreSandbox(repository, record, commit)
    await updateInvocation(paths, record.invocation_id, { git_dir: restored.git_dir })
    notes.push(...restored.notes)
  }
  return notes
}

/**
 * After a landing, records follow the branch by the journal of publishBranch. For all other verbs they follow the log.
 */
async function writeUndone(repository: Repository, plan: UndoPlan): Promise<readonly string[]> {
  const operation = stampUndo(repository, plan)
  if (plan.branch !== null) {
    const completion = { operation, landing_status: 'pending' as const, whole_at: null }
    const reason = `agency: ${operation.description}`
    return publishBranch(repository, plan.worktree, { ...plan.branch, reason, completion })
  }
  repository.effects.onStep('append the operation')
  appendStamped(repository.paths, operation)
  await reopenRecords(repository, operation)
  return []
}

function stampUndo({ effects }: Repository, { operation }: UndoPlan): Operation {
  return stampOperation(
    {
      kind: 'undo',
      description: `undid: ${operation.description}`,
      worktree_id: operation.worktree_id,
      invocation_ids: operation.invocation_ids,
      refs: operation.refs.filter(({ ref }) => !ref.startsWith(TRASH_REFS)).map(reverse),
      target: operation.operation_id,
    },
    { now: effects.clock.now(), random: effects.random() },
  )
}

/** Once its line is in the log, the undo counts, and the next command finishes it. */
function isLogged({ paths }: Repository, { operation }: UndoPlan): boolean {
  const line = readOperations(paths).at(-1)
  return line?.kind === 'undo' && line.target === operation.operation_id
}

/**
 * Removes again what the failed undo had brought back, unless a journal says that the branch may still move. Does not
 * throw: the error that led here is the one to report.
 */
async function takeUndoBack(repository: Repository, plan: UndoPlan): Promise<void> {
  const { paths } = repository
  if (readJournal(paths, plan.worktree.worktree_id) !== null || isLogged(repository, plan)) return
  try {
    for (const { record } of plan.sandboxes) {
      const now = readInvocation(paths, record.invocation_id)
      if (leftOf(repository, now) !== null) await finishClosing(repository, now)
    }
    const worktree = readWorktree(paths, plan.worktree.worktree_id)
    if (worktree.state === 'archived') await finishIntegration(repository, worktree)
    await moveRefs(repository, plan.refs.map(reverse))
  } catch (error) {
    const message = `an undo that was refused left something behind: ${String(error)}`
    for (const { record } of plan.sandboxes) {
      appendEvent(paths, record.invocation_id, { kind: 'cleanup_failed', message })
    }
  }
}
