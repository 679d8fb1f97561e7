// What a kill has left of a tree whose record says that it is closed: a removal was killed before its end, or an undo that
// had begun to bring the tree back.

import { listNotedTrees } from '../../../doors/git/linked-worktrees.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import type { LeftOver } from '../../changeset.ts'
import { isRealDirectory } from '../../presence.ts'
import type { OurTree } from '../proof/our-tree.ts'
import { isHalfRestored, restoringNote } from '../restore/restore-tree.ts'

/** Touches nothing. null: nothing is left. */
export function findLeftOver(tree: OurTree): LeftOver | null {
  if (isHalfRestored(tree)) return 'half restored'
  if (isRealDirectory(tree.tree_path)) return 'whole'
  if (lstatIfThere(tree.tree_path) !== null) return null
  const git_dir = tree.administration.find(tree)
  return tree.administration.isOf({ ...tree, git_dir }) ? 'known to git' : null
}

/** Whether something may be left of a tree at a path: quick for whoever asks of thousands. */
export function leavesTrace(commonDir: string): (treePath: string) => boolean {
  const known = new Set(listNotedTrees(commonDir))
  return (treePath) =>
    known.has(treePath) || lstatIfThere(treePath) !== null || lstatIfThere(restoringNote(treePath)) !== null
}
