// Writes a captured state into the repository for good: one commit under one ref.

import type { ObjectId } from '../model/ids.ts'
import { parseObjectId } from '../model/ids.ts'
import { formatKeptState } from '../model/kept-state.ts'
import type { Capture } from './changeset.ts'
import type { Git } from './effects.ts'

export interface KeepRequest {
  /** refs/agency/… */
  readonly ref: string
  /** First line of the message. */
  readonly subject: string
  /** The tree's own branch, by its short name. */
  readonly branch: string
  readonly capture: Capture
  /** The age of the commit is counted from it. */
  readonly at: Date
  /** The commit's first parent, before those that the state needs: the chain of checkpoints. */
  readonly after?: ObjectId | null
  /** The commit's last parent: kept along with it. */
  readonly also?: ObjectId | null
  /** Fail where the ref is there already. */
  readonly create?: boolean
}

/** The ref points to the commit when this resolves; one that was there before is replaced. */
export async function keepCapture(store: Git, request: KeepRequest): Promise<ObjectId> {
  const { capture, branch, at, after, also } = request
  const branch_tip = await readTip(store, `refs/heads/${branch}`)
  const parents = [
    ...(after === undefined || after === null ? [] : [after]),
    capture.head,
    ...(await stagedCommit(store, capture, at)),
    ...(await lonelyTip(store, branch_tip, capture.head)),
    ...(also === undefined || also === null ? [] : [also]),
  ]
  const message = formatKeptState(request.subject, {
    schema_version: '1.0',
    head: capture.head,
    head_ref: capture.head_ref,
    unborn: capture.unborn,
    index_tree: capture.index_tree,
    branch,
    branch_tip,
    incomplete: [...capture.incomplete],
    ...(capture.excluded.length === 0 ? {} : { excluded: [...capture.excluded] }),
  })
  const commit = await writeCommit(store, capture.state_tree, { parents, message, at })
  const nothing = request.create === true ? ['0'.repeat(commit.length)] : []
  await store.run(['update-ref', '--no-deref', request.ref, commit, ...nothing])
  return commit
}

/** Where a ref points; null where there is none. */
export async function readTip(store: Git, ref: string): Promise<ObjectId | null> {
  const found = await store.run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    answers: [1, 128],
  })
  return found.exitCode === 0 ? parseObjectId(found.stdout.toString('utf8')) : null
}

async function stagedCommit(store: Git, { index_tree, head }: Capture, at: Date): Promise<ObjectId[]> {
  if (index_tree === null) return []
  return [await writeCommit(store, index_tree, { parents: [head], message: 'What was staged\n', at })]
}

/** The agent may have moved HEAD to another branch or a rebased history: its branch's own commits are kept as well. */
async function lonelyTip(store: Git, tip: ObjectId | null, head: ObjectId): Promise<ObjectId[]> {
  if (tip === null || tip === head) return []
  const asked = await store.run(['merge-base', '--is-ancestor', tip, head], { answers: [1] })
  return asked.exitCode === 0 ? [] : [tip]
}

interface NewCommit {
  readonly parents: readonly ObjectId[]
  readonly message: string
  readonly at: Date
}

function writeCommit(store: Git, tree: ObjectId, { parents, message, at }: NewCommit): Promise<ObjectId> {
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`
  const named = parents.flatMap((parent) => ['-p', parent])
  return store.object(['commit-tree', tree, ...named, '-F', '-'], {
    input: message,
    env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  })
}
