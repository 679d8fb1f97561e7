// Tells somebody who asks every few seconds whether the branches of worktrees have moved, by looking at the files that
// git writes to move one. The files are not read, because an agent may have put anything in their place.

import { join } from 'node:path'
import { stampOf } from '../../doors/system/file-stamp.ts'
import type { WorktreeId } from '../../model/ids.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'

/** If two stamps are equal, the branch has not moved and the tree is still on it. */
export function stampBranches(
  { record: { git_common_dir } }: Pick<Repository, 'record'>,
  worktrees: readonly WorktreeRecord[],
): ReadonlyMap<WorktreeId, string> {
  const shared = ['packed-refs', 'reftable/tables.list'].map((name) => stampOf(join(git_common_dir, name)))
  return new Map(
    worktrees.map(({ worktree_id, branch, git_dir }) => {
      const own = [join(git_common_dir, 'refs', 'heads', branch), join(git_dir, 'HEAD')].map(stampOf)
      return [worktree_id, [...own, ...shared].join()]
    }),
  )
}
