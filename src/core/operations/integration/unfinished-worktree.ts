// A worktree whose maker was killed after its record was written and before its files were. The person was never told
// of it, so it is taken back: its name is free again. Whatever lies in its tree waits in the trash.

import { join } from 'node:path'
import { integrationTree } from '../../changesets/worktree/proof/our-tree.ts'
import { removeTree } from '../../changesets/worktree/remove/remove-tree.ts'
import { isGitDirOf } from '../../doors/git/linked-worktrees.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { lockHolder } from '../../doors/git/stale-locks.ts'
import { deletePath, lstatIfThere } from '../../doors/system/files.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree } from '../../store/worktrees.ts'
import { branchRef } from './check-integration-tree.ts'

/**
 * The index comes last, and its lock first: while that is held, a git that outlived the maker is still writing.
 */
export async function isUnfinishedWorktree(repository: Repository, record: WorktreeRecord): Promise<boolean> {
  const { maker, git_dir, state } = record
  const { processes } = repository.effects
  const { commonDir } = repository.git
  if (state !== 'present' || !maker || processes.isAlive(maker)) return false
  if (!isGitDirOf(commonDir, record) || lstatIfThere(join(git_dir, 'index')) !== null) return false
  const lock = join(git_dir, 'index.lock')
  if (lstatIfThere(lock) !== null && lockHolder(repository, lock) !== null) return false
  return (await readTip(repository.git.store, branchRef(record))) === record.known_head
}

/** The caller holds the lock. Returns a sentence about what was done. */
export async function takeBackUnfinished(repository: Repository, id: string): Promise<string> {
  const { paths, git } = repository
  const record = readWorktree(paths, id)
  if (!(await isUnfinishedWorktree(repository, record))) return `left ${record.name}: it is finished now`
  removeTree(repository, integrationTree(repository, record), null)
  const args = ['update-ref', '--no-deref', '-d', branchRef(record), record.known_head]
  await git.store.run(args)
  deletePath(paths.worktree(id).dir)
  return `took back the worktree ${record.name}, which had no files yet; what lay in its tree waits in the trash`
}
