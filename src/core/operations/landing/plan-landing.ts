// Computes a landing in memory. Objects are written, but no ref, index or work tree is touched: so a conflict leaves
// nothing to clean up, and a plan that is not used costs nothing.

import type { Capture } from '../../changesets/changeset.ts'
import type { Git } from '../../doors/effects.ts'
import { type CommitObject, formatIdent, parseCommitBatch } from '../../model/commit-object.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import {
  appliesUncommitted,
  isRefusal,
  type LandingPlan,
  type Refusal,
  refuseByWork,
  refuseConflict,
  type SandboxWork,
  type WorkOptions,
} from '../../model/landing.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { withCommitWriter } from './commit-writer.ts'
import { type MergeRoom, mergeCommits, mergeTrees } from './merge-trees.ts'
import { readPerson } from './person-identity.ts'
import { replayCommits, type Tip } from './replay-commits.ts'
import { readSandboxRange, type SandboxRange } from './sandbox-range.ts'

export interface LandingRequest {
  readonly record: InvocationRecord
  readonly worktree: WorktreeRecord
  /** The integration branch's tip. */
  readonly head: ObjectId
  /** The sandbox's HEAD. */
  readonly tip: ObjectId
}

/** What the sandbox's commits come to, whatever else lies in its tree. `addUncommitted` adds to this. */
export interface CommitsPlan extends LandingPlan {
  readonly request: LandingRequest
  readonly tip_tree: ObjectId
  /** The committer of the commits that we make; also the author, for uncommitted work. */
  readonly committer: string
}

export async function planLanding(
  repository: Repository,
  request: LandingRequest & { readonly capture: Capture; readonly options: WorkOptions },
): Promise<LandingPlan | Refusal> {
  const commits = await planCommits(repository, await readHistory(repository, request))
  return finishPlan(repository, commits, request)
}

/** `commits` is the result of planCommits for the same request. */
export async function finishPlan(
  repository: Repository,
  commits: CommitsPlan | Refusal,
  { record, capture, options }: LandingRequest & { capture: Capture; options: WorkOptions },
): Promise<LandingPlan | Refusal> {
  const work = workIn(record, capture)
  const refusal = refuseByWork(work, options)
  if (refusal !== null) return refusal
  if (isRefusal(commits) || !appliesUncommitted(work, options)) return commits
  return addUncommitted(repository, commits, capture)
}

export const workIn = ({ base_commit }: InvocationRecord, { head, dirty }: Capture): SandboxWork => ({
  commits: head !== base_commit,
  dirty,
})

/** What is known about the sandbox's commits before any of them is merged. */
export interface LandingHistory {
  readonly git: Git
  readonly request: LandingRequest
  readonly range: SandboxRange
  readonly objects: ReadonlyMap<ObjectId, CommitObject>
  readonly committer: string
}

export async function readHistory(repository: Repository, request: LandingRequest): Promise<LandingHistory> {
  const { record, worktree, head, tip } = request
  const git = repository.git.tree(worktree)
  const [range, person] = await Promise.all([
    readSandboxRange(repository.git.store, { base: record.base_commit, tip, head }),
    readPerson(git),
  ])
  const objects = await readCommitObjects(git, [head, tip, record.base_commit, ...ids(range)])
  return { git, request, range, objects, committer: formatIdent(person, repository.effects.clock.now()) }
}

/** Needs no capture, so it can run while the sandbox's files are still being read. */
export async function planCommits(
  repository: Repository,
  history: LandingHistory,
): Promise<CommitsPlan | Refusal> {
  const { request, range, committer } = history
  if (range.marker !== null) return refuseMarker(range.marker)
  const made = await withCommitWriter(repository, (writer) =>
    landCommits({ ...history, writer, store: repository.git.store }),
  )
  if (isRefusal(made)) return made
  return {
    ...made,
    request,
    from: request.head,
    to: made.tip.commit,
    to_tree: made.tip.tree,
    tip_tree: treeOfCommit(history, request.tip),
    committer,
    foreign: range.foreign,
  }
}

type LandingRoom = MergeRoom & LandingHistory & { readonly store: Git }

type MadeCommits = Pick<LandingPlan, 'manner' | 'landed' | 'skipped'> & { readonly tip: Tip }

async function landCommits(room: LandingRoom): Promise<MadeCommits | Refusal> {
  const { range, request } = room
  const onto: Tip = { commit: request.head, tree: treeOfCommit(room, request.head) }
  const nothing: MadeCommits = { tip: onto, manner: 'commits', landed: [], skipped: range.already }
  switch (range.shape) {
    case 'none':
      return nothing
    case 'linear':
      return range.fresh.length === 0 ? nothing : landChain(room, onto)
    case 'merges':
      return range.fresh.length === 0 ? nothing : landSquash(room, onto)
    case 'elsewhere':
      return landSquash(room, onto)
  }
}

/**
 * If the first commit's parent is the branch's tip, the agent's commits land unchanged. Otherwise they are replayed.
 */
async function landChain(room: LandingRoom, onto: Tip): Promise<MadeCommits | Refusal> {
  const { range, request } = room
  const commits = range.fresh.map((commit) => commit.id)
  if (range.fresh[0]?.parents[0] === onto.commit) {
    const tip = { commit: request.tip, tree: treeOfCommit(room, request.tip) }
    return { tip, manner: 'fast_forward', landed: commits, skipped: range.already }
  }
  const replay = await replayCommits({
    room,
    store: room.store,
    objects: room.objects,
    committer: room.committer,
    onto,
    commits,
  })
  if (isRefusal(replay)) return replay
  return { ...replay, manner: 'commits', skipped: [...range.already, ...replay.skipped] }
}

/**
 * Lands the whole work as one commit, because merges cannot be replayed one by one. If the history did not grow from
 * the base, the difference between base and tip is what lands: that is what the diff showed.
 */
async function landSquash(room: LandingRoom, onto: Tip): Promise<MadeCommits | Refusal> {
  const { git, range, request } = room
  const theirs = treeOfCommit(room, request.tip)
  const merged =
    range.shape === 'merges'
      ? await mergeCommits(git, onto.commit, request.tip)
      : await mergeTrees(room, { base: request.record.base_commit, ours: onto.tree, theirs })
  if ('conflicts' in merged) return refuseConflict(merged.conflicts, null)
  const all = [...range.already, ...ids(range)]
  if (merged.tree === onto.tree) return { tip: onto, manner: 'squash', landed: [], skipped: all }
  const commit = await room.writer.write(
    {
      tree: merged.tree,
      parents: [onto.commit],
      author: room.objects.get(request.tip)?.author ?? room.committer,
      encoding: null,
      message: squashMessage(room),
    },
    room.committer,
  )
  return { tip: { commit, tree: merged.tree }, manner: 'squash', landed: [commit], skipped: [] }
}

function squashMessage({ request, range, objects }: LandingRoom): string {
  const subjects = ids(range).map((id) => `* ${objects.get(id)?.message.split('\n')[0] ?? ''}\n`)
  const title = `agency: land invocation ${request.record.invocation_id}\n`
  return subjects.length === 0 ? title : `${title}\n${subjects.join('')}`
}

/** Puts what the agent did not commit on top, as one commit. */
const addUncommitted = (
  repository: Repository,
  plan: CommitsPlan,
  capture: Capture,
): Promise<LandingPlan | Refusal> =>
  withCommitWriter(repository, async (writer) => {
    const { worktree, record, tip } = plan.request
    const room = { git: repository.git.tree(worktree), writer }
    const merged =
      plan.to_tree === plan.tip_tree
        ? { tree: capture.state_tree }
        : await mergeTrees(room, { base: tip, ours: plan.to_tree, theirs: capture.state_tree })
    if ('conflicts' in merged) return refuseConflict(merged.conflicts, null)
    if (merged.tree === plan.to_tree) return plan
    const commit = await writer.write(
      {
        tree: merged.tree,
        parents: [plan.to],
        author: plan.committer,
        encoding: null,
        message: Buffer.from(uncommittedMessage(record), 'utf8').toString('latin1'),
      },
      plan.committer,
    )
    return { ...plan, to: commit, to_tree: merged.tree, landed: [...plan.landed, commit] }
  })

/** The message of that commit. */
const uncommittedMessage = ({ invocation_id, invocation_name, runner }: InvocationRecord): string =>
  `agency: land invocation ${invocation_id}\n\nUncommitted work of ${runner} in ${invocation_name}.\n`

async function readCommitObjects(git: Git, wanted: readonly ObjectId[]) {
  const input = [...new Set(wanted)].map((id) => `${id}\n`).join('')
  return parseCommitBatch((await git.run(['cat-file', '--batch'], { input })).stdout)
}

const ids = (range: SandboxRange): ObjectId[] => range.fresh.map((commit) => commit.id)

function treeOfCommit({ objects }: Pick<LandingRoom, 'objects'>, id: ObjectId): ObjectId {
  const commit = objects.get(id)
  if (commit === undefined) throw new Error(`${id} was not read`)
  return commit.tree
}

const refuseMarker = (commit: ObjectId): Refusal => ({
  refused: 'E_MARKER_IN_WORK',
  message: `commit ${commit.slice(0, 7)} contains files under .agency/`,
  details: { commit },
})
