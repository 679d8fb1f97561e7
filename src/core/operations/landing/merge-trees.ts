// One three-way merge in memory. git 2.39 cannot be told the merge base. So it is given a commit whose parent is the
// base and whose tree is our side; then it finds that base by itself.

import type { Git } from '../../doors/effects.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { rawFields, showRaw } from '../../model/raw-bytes.ts'
import type { CommitWriter } from './commit-writer.ts'

export type Merged = { readonly tree: ObjectId } | { readonly conflicts: readonly string[] }

export interface MergeRequest {
  /** A commit. */
  readonly base: ObjectId
  /** Trees. */
  readonly ours: ObjectId
  readonly theirs: ObjectId
  /** A commit with the tree `theirs` and the parent `base`, if there is one already. */
  readonly theirsCommit?: ObjectId
}

export interface MergeRoom {
  /** Bound to the integration tree, because its attributes say which files have a merge driver of their own. */
  readonly git: Git
  readonly writer: CommitWriter
}

export async function mergeTrees({ git, writer }: MergeRoom, request: MergeRequest): Promise<Merged> {
  const ours = await synthesise(writer, request.ours, request.base)
  const theirs = request.theirsCommit ?? (await synthesise(writer, request.theirs, request.base))
  return mergeCommits(git, ours, theirs)
}

/** Merges by the merge base that the two histories have. */
export async function mergeCommits(git: Git, ours: ObjectId, theirs: ObjectId): Promise<Merged> {
  const merged = await git.run(['merge-tree', '--write-tree', '-z', '--name-only', ours, theirs], {
    answers: [1],
  })
  const [tree, ...names] = rawFields(merged.stdout)
  if (merged.exitCode === 0) return { tree: parseObjectId(tree ?? '') }
  const end = names.indexOf('')
  return { conflicts: [...new Set(names.slice(0, end < 0 ? undefined : end))].map(showRaw) }
}

const NOBODY = 'Agency <agency@localhost> 0 +0000'

const synthesise = (writer: CommitWriter, tree: ObjectId, parent: ObjectId): Promise<ObjectId> =>
  writer.write(
    { tree, parents: [parent], author: NOBODY, encoding: null, message: 'One side of a merge\n' },
    NOBODY,
  )
