// Tells which paths of a sandbox change: the part of the door that only hosts go through, and that brings libraries which
// no command should have to load.

import type { InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'
import { openLocation } from './location.ts'
import { listIgnoredDirectories } from './worktree/watch/ignored-directories.ts'
import { type TreeWatcher, type WatchEvents, watchTree } from './worktree/watch/tree-watcher.ts'

/** Throws where the files cannot be watched. */
export function watchChangeset(
  { git }: Repository,
  record: InvocationRecord,
  events: WatchEvents,
): Promise<TreeWatcher> {
  const where = openLocation(record)
  const listIgnored = () => listIgnoredDirectories(git.tree(where))
  return watchTree({ tree: where.tree_path, listIgnored, ...events })
}
