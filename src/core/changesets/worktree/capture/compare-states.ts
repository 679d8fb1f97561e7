// Compares two states of a sandbox path by path: what is committed, what is not, and which files git does not track.

import type { Git } from '../../../doors/effects.ts'
import { diffPaths, diffWithCounts } from '../../../doors/git/compare-trees.ts'
import type { FileChange } from '../../../model/change.ts'
import { ALL_COMMITTED, toFileChanges, type Uncommitted } from '../../../model/raw-diff.ts'
import type { Capture, ChangeRange } from '../../changeset.ts'

export async function compareStates(store: Git, range: ChangeRange, capture: Capture): Promise<FileChange[]> {
  const [all, uncommitted] = await Promise.all([
    diffWithCounts(store, range),
    range.to === capture.state_tree ? findUncommitted(store, capture) : ALL_COMMITTED,
  ])
  return toFileChanges(all, uncommitted)
}

async function findUncommitted(store: Git, { head, index_tree, state_tree }: Capture): Promise<Uncommitted> {
  const [own, unstaged] = await Promise.all([
    diffPaths(store, head, state_tree),
    index_tree === null ? null : diffPaths(store, index_tree, state_tree),
  ])
  const unknown = (unstaged ?? own).changes.filter(({ kind }) => kind === 'added')
  return {
    paths: new Set(own.changes.map(({ path }) => path)),
    untracked: new Set(unknown.map(({ path }) => path)),
  }
}
