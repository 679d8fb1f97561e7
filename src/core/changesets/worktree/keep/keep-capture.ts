// Writes a captured state into the repository for good: one commit under one ref.

import type { Git } from '../../../doors/effects.ts'
import { readTip } from '../../../doors/git/read-tips.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { formatKeptState, type KeptState } from '../../../model/kept-state.ts'
import type { Capture } from '../../changeset.ts'

export interface KeepRequest {
  /** refs/agency/… */
  readonly ref: string
  /** First line of the message. */
  readonly subject: string
  /** The tree's own branch, by its short name. */
  readonly branch: string
  readonly capture: Capture
  /** Where that branch is, where the caller has just read it. */
  readonly branch_tip?: ObjectId | null
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
export const keepCapture = async (store: Git, request: KeepRequest): Promise<ObjectId> =>
  (await keepDescribed(store, request)).commit

export interface KeptCapture {
  readonly commit: ObjectId
  readonly described: DescribedState
}

export async function keepDescribed(store: Git, request: KeepRequest): Promise<KeptCapture> {
  const { after, also, at } = request
  const described = await describeKept(store, request)
  const parents = [after, ...described.parents, also].filter(
    (parent) => parent !== undefined && parent !== null,
  )
  const message = formatKeptState(request.subject, described.state)
  const commit = await writeCommit(store, request.capture.state_tree, { parents, message, at })
  const nothing = request.create === true ? ['0'.repeat(commit.length)] : []
  await store.run(['update-ref', '--no-deref', request.ref, commit, ...nothing])
  return { commit, described }
}

export interface DescribedState {
  readonly parents: readonly ObjectId[]
  readonly state: KeptState
}

/** What such a commit says, and what it holds on to beside the files: HEAD, what is staged, the branch's own tip. */
export async function describeKept(
  store: Git,
  { capture, branch, branch_tip: read, at }: Pick<KeepRequest, 'capture' | 'branch' | 'branch_tip' | 'at'>,
): Promise<DescribedState> {
  const branch_tip = read === undefined ? await readTip(store, `refs/heads/${branch}`) : read
  const [staged, lonely] = await Promise.all([
    stagedCommit(store, capture, at),
    lonelyTip(store, branch_tip, capture.head),
  ])
  const { head, head_ref, unborn, index_tree, incomplete, excluded } = capture
  return {
    parents: [head, ...staged, ...lonely],
    state: {
      schema_version: '1.0',
      head,
      head_ref,
      unborn,
      index_tree,
      branch,
      branch_tip,
      incomplete: [...incomplete],
      ...(excluded.length === 0 ? {} : { excluded: [...excluded] }),
    },
  }
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
