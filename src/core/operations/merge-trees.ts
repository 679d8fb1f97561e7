// One three-way merge in memory. git 2.39 takes no merge base from us, so it is given a commit whose parent is the base
// and whose tree is our side: then git finds the base by itself.

import type { Git } from '../effects/effects.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import { rawFields, showRaw } from '../model/raw-bytes.ts'

export type Merged = { readonly tree: ObjectId } | { readonly conflicts: readonly string[] }

export interface MergeRequest {
  /** A commit. */
  readonly base: ObjectId
  /** Trees. */
  readonly ours: ObjectId
  readonly theirs: ObjectId
  /** A commit with the tree `theirs` and the parent `base`, where there is one. */
  readonly theirsCommit?: ObjectId
}

/** `git` is bound to the integration tree: its attributes say which files merge in a way of their own. */
export async function mergeTrees(git: Git, request: MergeRequest): Promise<Merged> {
  const [ours, theirs] = await Promise.all([
    synthesise(git, request.ours, request.base),
    request.theirsCommit ?? synthesise(git, request.theirs, request.base),
  ])
  return mergeCommits(git, ours, theirs)
}

/** By the merge base that their histories have. */
export async function mergeCommits(git: Git, ours: ObjectId, theirs: ObjectId): Promise<Merged> {
  const merged = await git.run(['merge-tree', '--write-tree', '-z', '--name-only', ours, theirs], {
    answers: [1],
  })
  const [tree, ...names] = rawFields(merged.stdout)
  if (merged.exitCode === 0) return { tree: parseObjectId(tree ?? '') }
  const end = names.indexOf('')
  return { conflicts: [...new Set(names.slice(0, end < 0 ? undefined : end))].map(showRaw) }
}

const synthesise = (git: Git, tree: ObjectId, parent: ObjectId): Promise<ObjectId> =>
  git.object(['commit-tree', tree, '-p', parent, '-m', 'One side of a merge'])
