// Recovers from a kill in the middle of writing an integration tree (the states are drawn in store/journal.ts). If the
// branch has moved, everything that follows is done; if it has not, the tree is brought back. Then branch, index and
// tree agree again, and the person's own edits are untouched. It may itself be killed and run again.

import {
  beginNextIndex,
  dropNextIndex,
  placeNextIndex,
  releaseIndexLock,
  takeIndexLock,
} from '../../doors/git/index-lock.ts'
import { isGitDirOf } from '../../doors/git/linked-worktrees.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { dropStaleRefLocks } from '../../doors/git/ref-locks.ts'
import { lockHolder } from '../../doors/git/stale-locks.ts'
import { pathExists } from '../../doors/system/files.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { type Journal, readJournal, removeJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { awaitWriters } from '../history/await-writers.ts'
import { completeOperation } from '../history/complete-operation.ts'
import { branchRef } from './check-integration-tree.ts'
import { rollBackTree } from './roll-back-tree.ts'

export interface Recovery {
  readonly outcome: 'nothing' | 'rolled_forward' | 'rolled_back'
  readonly notes: readonly string[]
}

/**
 * The caller holds the lock. Throws E_LOCKED while a git that a killed verb left is still writing, E_INTEGRATION_BUSY
 * where another git holds the tree's index.
 */
export async function recoverLanding(repository: Repository, worktreeId: string): Promise<Recovery> {
  const journal = readJournal(repository.paths, worktreeId)
  if (journal === null) return { outcome: 'nothing', notes: [] }
  await awaitWriters(repository, journal)
  const worktree = readWorktree(repository.paths, journal.worktree_id)
  const moved = (await readTip(repository.git.store, branchRef(worktree))) === journal.to
  if (pathExists(worktree.tree_path) && isGitDirOf(repository.git.commonDir, worktree)) {
    await settleTree(repository, worktree, { journal, moved })
  }
  const notes = moved ? await finishPublication(repository, journal) : []
  removeJournal(repository.paths, worktreeId)
  return { outcome: moved ? 'rolled_forward' : 'rolled_back', notes }
}

/** Writes the records that follow a moved branch. Every step may be repeated. */
export async function finishPublication(repository: Repository, journal: Journal): Promise<string[]> {
  const { effects, paths } = repository
  effects.onStep('note where the branch stands')
  await updateWorktree(paths, journal.worktree_id, {
    known_head: journal.to,
    last_used_at: effects.clock.now().toISOString(),
  })
  return journal.completion === null ? [] : completeOperation(repository, journal.completion)
}

async function settleTree(
  repository: Repository,
  worktree: WorktreeRecord,
  { journal, moved }: { journal: Journal; moved: boolean },
): Promise<void> {
  const { git_dir } = worktree
  const { to, token } = journal
  const { commonDir } = repository.git
  const isHeld = (lock: string): boolean => lockHolder(repository, lock) !== null
  dropStaleRefLocks(commonDir, { git_dir, ref: branchRef(worktree), to, token, isHeld })
  if (journal.from === to) return
  takeIndexLock(git_dir, token)
  if (moved) await followIndex(repository, worktree, journal)
  else await rollBackTree(repository, worktree, journal)
  dropNextIndex(git_dir)
  releaseIndexLock(git_dir, token)
}

/**
 * The tree was complete before the branch moved. Now the person's index takes the same step; their staged edits are
 * kept.
 */
async function followIndex(
  { git }: Repository,
  worktree: WorktreeRecord,
  { from, to }: Journal,
): Promise<void> {
  const index = beginNextIndex(worktree.git_dir)
  const tree = git.tree(worktree)
  const followed = await tree.run(['read-tree', '-i', '-m', from, to], { index, answers: [128] })
  if (followed.exitCode !== 0) return
  await tree.run(['update-index', '-q', '--refresh'], { index, answers: [1] })
  placeNextIndex(worktree.git_dir)
}
