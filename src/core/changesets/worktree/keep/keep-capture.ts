// Writes a captured state into the repository for good: one commit under one ref. Whatever a restore or an undo will need
// beside the files is a parent of that commit, or git would delete it one day. The parents, in their order:
//
//   1  the checkpoint before this one ◄───┐
//   2  HEAD, the last commit ◄────────────┤     the commit under the ref
//        ▲                                ├───  its tree: every file as it lay there
//   3  what was staged ◄──────────────────┤     its message: how to put all of it back (kept-state.ts)
//   4  the tip of the sandbox's branch ◄──┤
//   5  what git changes or does not know ◄┤     (model/verbatim.ts)
//   6  other commits to keep ◄────────────┘
//
// HEAD is always a parent. 1 is there for checkpoints only (`after`), 3 where the index differs from HEAD, 4 where HEAD does
// not contain it, 5 where the tree alone would not bring back each byte and mode, 6 where the caller asks for them (`also`).

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
  /** Where that branch is, if the caller has just read it; otherwise it is read. */
  readonly branch_tip?: ObjectId | null
  /** The date of the commit. */
  readonly at: Date
  /** The checkpoint before this one: the commit's first parent, before those that the state needs. */
  readonly after?: ObjectId | null
  /** The commit's last parents, so that git keeps them too. */
  readonly also?: readonly ObjectId[]
  /** Fail where the ref is there already. */
  readonly create?: boolean
}

/** When it resolves, the ref points to the commit. A ref that was there before is replaced. */
export const keepCapture = async (store: Git, request: KeepRequest): Promise<ObjectId> =>
  (await keepDescribed(store, request)).commit

export interface KeptCapture {
  readonly commit: ObjectId
  readonly described: DescribedState
}

export async function keepDescribed(store: Git, request: KeepRequest): Promise<KeptCapture> {
  const { after, also = [], at } = request
  const described = await describeKept(store, request)
  const parents = [after, ...described.parents, ...also].filter(
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

/**
 * What the commit's message says, and the parents by which git keeps more than files: HEAD, what is staged, the
 * branch's tip, what the files' tree would not bring back.
 */
export async function describeKept(
  store: Git,
  { capture, branch, branch_tip: read, at }: Pick<KeepRequest, 'capture' | 'branch' | 'branch_tip' | 'at'>,
): Promise<DescribedState> {
  const branch_tip = read === undefined ? await readTip(store, `refs/heads/${branch}`) : read
  const [staged, lonely, verbatim] = await Promise.all([
    stagedCommit(store, capture, at),
    lonelyTip(store, branch_tip, capture.head),
    verbatimCommit(store, capture, at),
  ])
  const { head, head_ref, unborn, index_tree, incomplete, excluded } = capture
  return {
    parents: [head, ...staged, ...lonely, ...verbatim],
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
      ...(capture.verbatim === null ? {} : { verbatim_tree: capture.verbatim.tree }),
    },
  }
}

async function stagedCommit(store: Git, { index_tree, head }: Capture, at: Date): Promise<ObjectId[]> {
  if (index_tree === null) return []
  return [await writeCommit(store, index_tree, { parents: [head], message: 'What was staged\n', at })]
}

async function verbatimCommit(store: Git, { verbatim }: Capture, at: Date): Promise<ObjectId[]> {
  if (verbatim === null) return []
  const message = 'Bytes and modes as they were\n'
  return [await writeCommit(store, verbatim.tree, { parents: [], message, at })]
}

/**
 * The branch's tip, if HEAD does not contain it: the agent may have moved HEAD to another branch or to a rebased
 * history.
 */
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
