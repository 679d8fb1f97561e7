// Whether the branches of worktrees have moved, for whoever asks every few seconds: told by the files that git writes to
// move one. They are looked at and not read, as an agent may have put anything in their place.

import { join } from 'node:path'
import { stampOf } from '../../doors/system/file-stamp.ts'
import type { WorktreeId } from '../../model/ids.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'

/** Equal: the branch is where it was, and the tree is still on it. */
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
