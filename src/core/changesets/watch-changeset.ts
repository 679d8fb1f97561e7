// Tells which paths of a sandbox change. Kept apart from the rest of the door because it needs libraries that no
// command should have to load: only hosts use it.

import type { InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'
import { knownLocation } from './location.ts'
import { listIgnoredDirectories } from './worktree/watch/ignored-directories.ts'
import { type TreeWatcher, type WatchEvents, watchTree } from './worktree/watch/tree-watcher.ts'

/** Throws where the files cannot be watched. */
export function watchChangeset(
  { git }: Repository,
  record: InvocationRecord,
  events: WatchEvents,
): Promise<TreeWatcher> {
  const where = knownLocation(record)
  const listIgnored = () => listIgnoredDirectories(git.tree(where))
  return watchTree({ tree: where.tree_path, listIgnored, ...events })
}
