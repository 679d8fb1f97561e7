// Finds what is left of trees whose records say that they are closed, however long ago a kill has left it there. The
// operation log says what was decided: a tree that was brought back belongs to an open record, all others go.

import type { LeftOver } from '../../changesets/changeset.ts'
import { leavesTrace } from '../../changesets/worktree/remove/left-over.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { isClosed } from '../../model/invocation.ts'
import type { Operation } from '../../model/operation.ts'
import { showPath } from '../../model/sandbox-path.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktrees } from '../../store/worktrees.ts'
import { finishIntegration, leftOfIntegration } from '../integration/integration-state.ts'
import { listInvocations } from '../invocations/known-invocations.ts'
import { finishNoting, leftOf } from './finish-closing.ts'
import { reopenRecords } from './recover-closing.ts'

export interface LeftTree {
  /** As doctor names it. */
  readonly subject: string
  /** Of the tree. */
  readonly path: string
  readonly left: LeftOver
  /** The log says that it was brought back. */
  readonly undone: boolean
  /** Brings tree and record to what the log says. The caller holds the lock. */
  settle(): Promise<void>
}

export function listLeftTrees(repository: Repository): LeftTree[] {
  const { paths, git } = repository
  const hasTrace = leavesTrace(git.commonDir)
  const records = listInvocations(paths).invocations.filter(
    (record) => isClosed(record) && hasTrace(showPath(record.sandbox_path)),
  )
  const worktrees = listWorktrees(paths).filter(
    ({ state, tree_path }) => state === 'archived' && hasTrace(tree_path),
  )
  if (records.length === 0 && worktrees.length === 0) return []
  const log = readOperations(paths)
  return [
    ...worktrees.flatMap((worktree) => leftWorktree(repository, worktree, log)),
    ...records.flatMap((record) => leftSandbox(repository, record, log)),
  ]
}

function leftSandbox(
  repository: Repository,
  record: InvocationRecord,
  log: readonly Operation[],
): LeftTree[] {
  const left = leftOf(repository, record)
  if (left === null) return []
  const id = record.invocation_id
  const line = log.findLast(({ invocation_ids }) => invocation_ids.includes(id))
  const undo = left === 'whole' && line?.kind === 'undo' ? line : null
  return [
    {
      subject: `invocation ${id}`,
      path: showPath(record.sandbox_path),
      left,
      undone: undo !== null,
      settle: async () => {
        if (undo === null) await finishNoting(repository, record)
        else await reopenRecords(repository, undo)
      },
    },
  ]
}

/** One that no removal has archived, but doctor, may still be known to git: its edits are kept nowhere else. */
function leftWorktree(
  repository: Repository,
  worktree: WorktreeRecord,
  log: readonly Operation[],
): LeftTree[] {
  const left = leftOfIntegration(repository, worktree)
  const line = log.findLast((operation) => isRemoval(log, operation, worktree))
  if (left === null || (line === undefined && left !== 'half restored')) return []
  const undo = left === 'whole' && line?.kind === 'undo' ? line : null
  return [
    {
      subject: `worktree ${worktree.name}`,
      path: worktree.tree_path,
      left,
      undone: undo !== null,
      settle: async () => {
        if (undo === null) await finishIntegration(repository, worktree)
        else await reopenRecords(repository, undo)
      },
    },
  ]
}

/** Or the undo or redo of one. */
function isRemoval(
  log: readonly Operation[],
  { kind, target, worktree_id }: Operation,
  worktree: WorktreeRecord,
): boolean {
  if (worktree_id !== worktree.worktree_id) return false
  const verb = target === null ? kind : log.find(({ operation_id }) => operation_id === target)?.kind
  return verb === 'worktree_rm'
}
