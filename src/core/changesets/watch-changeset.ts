// Tells which paths of a sandbox change. Kept apart from the rest of the door because it needs libraries that no
// command should have to load: only hosts use it.

import type { InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'
import { type ChangesetKindName, isKnownKind, unknownKind } from './kinds.ts'
import { knownLocation } from './location.ts'
import { listIgnoredDirectories } from './worktree/watch/ignored-directories.ts'
import { type TreeWatcher, type WatchEvents, watchTree } from './worktree/watch/tree-watcher.ts'

type Watch = (repository: Repository, record: InvocationRecord, events: WatchEvents) => Promise<TreeWatcher>

/** Throws where the files cannot be watched, E_CHANGESET_UNKNOWN for a kind of which it is not known how. */
export const watchChangeset: Watch = async (repository, record, events) => {
  const { changeset } = record.environment
  if (!isKnownKind(changeset)) throw unknownKind(changeset)
  return await BY_KIND[changeset](repository, record, events)
}

const watchOnDisk: Watch = ({ git }, record, events) => {
  const where = knownLocation(record)
  const listIgnored = () => listIgnoredDirectories(git.tree(where))
  return watchTree({ tree: where.tree_path, listIgnored, ...events })
}

const BY_KIND: Readonly<Record<ChangesetKindName, Watch>> = { worktree: watchOnDisk, copy: watchOnDisk }
