// The check before every `git worktree add` and every start of a runner: no tree that we make, and no directory that a
// runner works in, may be one of the person's trees, lie in one, or contain one.

import { realPathOf } from '../../../doors/system/files.ts'
import { AgencyError } from '../../../model/errors.ts'
import { INTEGRATION_MARKER } from '../../../model/markers.ts'
import { pathsTouch } from '../../../model/path-safety.ts'
import type { Repository } from '../../../store/repository.ts'
import { listWorktrees } from '../../../store/worktrees.ts'
import { hasMarker } from './marker.ts'

/** Throws E_SANDBOX_UNSAFE_PATH. Symbolic links are followed first, for the part of the path that exists. */
export function checkTreePath(repository: Repository, treePath: string): void {
  const path = realPathOf(treePath)
  for (const { what, tree } of protectedTrees(repository)) {
    if (pathsTouch(path, realPathOf(tree))) {
      throw new AgencyError('E_SANDBOX_UNSAFE_PATH', `${treePath} would touch ${what} at ${tree}`)
    }
  }
  if (hasMarker(path, INTEGRATION_MARKER)) {
    throw new AgencyError('E_SANDBOX_UNSAFE_PATH', `${treePath} carries the mark of an integration worktree`)
  }
}

function protectedTrees(repository: Repository): Array<{ what: string; tree: string }> {
  const { record, paths } = repository
  const integration = listWorktrees(paths)
    .filter((worktree) => worktree.state === 'present')
    .map((worktree) => ({ what: `the worktree ${worktree.name}`, tree: worktree.tree_path }))
  return [{ what: 'the repository', tree: record.root }, ...integration]
}
