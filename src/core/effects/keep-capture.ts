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
}

/** The ref points to the commit when this resolves; one that was there before is replaced. */
export async function keepCapture(store: Git, request: KeepRequest): Promise<ObjectId> {
  const { capture, branch } = request
  const branch_tip = await readTip(store, `refs/heads/${branch}`)
  const parents = [
    capture.head,
    ...(await stagedCommit(store, capture)),
    ...(await lonelyTip(store, branch_tip, capture.head)),
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
  })
  const commit = await writeCommit(store, capture.state_tree, { parents, message })
  await store.run(['update-ref', request.ref, commit])
  return commit
}

/** Where a ref points; null where there is none. */
export async function readTip(store: Git, ref: string): Promise<ObjectId | null> {
  const found = await store.run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    answers: [1, 128],
  })
  return found.exitCode === 0 ? parseObjectId(found.stdout.toString('utf8')) : null
}

async function stagedCommit(store: Git, { index_tree, head }: Capture): Promise<ObjectId[]> {
  if (index_tree === null) return []
  return [await writeCommit(store, index_tree, { parents: [head], message: 'What was staged\n' })]
}

/** The agent may have moved HEAD to another branch or a rebased history: its branch's own commits are kept as well. */
async function lonelyTip(store: Git, tip: ObjectId | null, head: ObjectId): Promise<ObjectId[]> {
  if (tip === null || tip === head) return []
  const asked = await store.run(['merge-base', '--is-ancestor', tip, head], { answers: [1] })
  return asked.exitCode === 0 ? [] : [tip]
}

const writeCommit = (
  store: Git,
  tree: ObjectId,
  { parents, message }: { parents: readonly ObjectId[]; message: string },
): Promise<ObjectId> =>
  store.object(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], {
    input: message,
  })
