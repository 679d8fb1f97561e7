// Replays the sandbox's commits one by one on another head: what `git cherry-pick` would make, without a work tree.

import type { Git } from '../../doors/effects.ts'
import type { CommitObject } from '../../model/commit-object.ts'
import type { ObjectId } from '../../model/ids.ts'
import { type Refusal, refuseConflict } from '../../model/landing.ts'
import { type MergeRoom, mergeTrees } from './merge-trees.ts'
import { replayEdits } from './replay-edits.ts'

/** A place that a branch will have: a commit and its tree. */
export interface Tip {
  readonly commit: ObjectId
  readonly tree: ObjectId
}

export interface Replay {
  readonly tip: Tip
  readonly landed: readonly ObjectId[]
  readonly skipped: readonly ObjectId[]
}

export interface ReplayRequest {
  readonly room: MergeRoom
  readonly store: Git
  readonly onto: Tip
  /** Oldest first. Each is the only parent of the next. */
  readonly commits: readonly ObjectId[]
  /** These commits, and the parent of the first. */
  readonly objects: ReadonlyMap<ObjectId, CommitObject>
  /** `Name <mail> seconds zone`, raw. */
  readonly committer: string
}

export async function replayCommits(request: ReplayRequest): Promise<Replay | Refusal> {
  let tip = request.onto
  const landed: ObjectId[] = []
  const skipped: ObjectId[] = []
  const edits = await replayEdits({ ...request, onto: tip.tree })
  for (const [at, id] of request.commits.entries()) {
    const commit = knownCommit(request.objects, id)
    const tree = edits[at] ?? (await pickTree(request, { id, commit, onto: tip.tree }))
    if (typeof tree !== 'string') return refuseConflict(tree.conflicts, id)
    if (tree === tip.tree) skipped.push(id)
    else {
      tip = {
        tree,
        commit: await request.room.writer.write(
          { ...commit, tree, parents: [tip.commit] },
          request.committer,
        ),
      }
      landed.push(tip.commit)
    }
  }
  return { tip, landed, skipped }
}

interface Pick {
  readonly id: ObjectId
  readonly commit: CommitObject
  readonly onto: ObjectId
}

async function pickTree(
  { room, objects }: ReplayRequest,
  { id, commit, onto }: Pick,
): Promise<ObjectId | { conflicts: readonly string[] }> {
  const [parent] = commit.parents
  if (parent === undefined) throw new Error(`${id} has no parent`)
  const before = knownCommit(objects, parent).tree
  if (before === onto) return commit.tree
  if (before === commit.tree) return onto
  const merged = await mergeTrees(room, { base: parent, ours: onto, theirs: commit.tree, theirsCommit: id })
  return 'tree' in merged ? merged.tree : merged
}

function knownCommit(objects: ReadonlyMap<ObjectId, CommitObject>, id: ObjectId): CommitObject {
  const commit = objects.get(id)
  if (commit === undefined) throw new Error(`${id} was not read`)
  return commit
}
