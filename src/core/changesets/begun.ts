// Git directories that killed gits had only begun to make for trees of ours. Not those that open records name: an agent may
// have emptied its own, and its name must not go to another tree.

import { listBegunWorktrees } from '../doors/git/begun-worktrees.ts'
import type { Repository } from '../store/repository.ts'
import { listLinkedTrees } from './linked-trees.ts'

export function listBegun(repository: Repository): string[] {
  const begun = listBegunWorktrees(repository)
  if (begun.length === 0) return []
  const named = new Set(listLinkedTrees(repository).map(({ git_dir }) => git_dir))
  return begun.filter((dir) => !named.has(dir))
}
