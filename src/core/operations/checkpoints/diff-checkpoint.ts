// Compares a checkpoint with the one before it, with where the sandbox began, or with the sandbox as it is now.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { readKeptState } from '../../changesets/worktree/keep/read-kept-state.ts'
import { diffPaths, diffWithCounts } from '../../doors/git/compare-trees.ts'
import type { CheckpointAgainst } from '../../facade/agency.ts'
import type { SandboxDiff } from '../../model/change.ts'
import type { Checkpoint } from '../../model/checkpoint.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { toFileChanges } from '../../model/raw-diff.ts'
import { readCheckpoints } from '../../store/checkpoints.ts'
import type { Repository } from '../../store/repository.ts'
import { readCommitLines, readPatch } from '../sandboxes/diff-invocation.ts'
import { findCheckpoint } from './find-checkpoint.ts'
import { leaveOutOf } from './take-checkpoint.ts'

export interface CheckpointDiffOptions {
  /** Number of the checkpoint. */
  readonly checkpoint: number
  readonly against: CheckpointAgainst
  readonly settings: CheckpointSettings
}

interface Moment {
  /** The commit that stands for that moment. */
  readonly commit: ObjectId
  readonly head: ObjectId
  readonly tree: ObjectId
  readonly incomplete: readonly string[]
}

/**
 * `base` is the older moment, a checkpoint or the sandbox's base commit; `head` and `state_tree` are the newer one's.
 * Throws E_CHECKPOINT_NOT_FOUND, and for `now` E_INVOCATION_CLOSED where the sandbox is gone.
 */
export async function diffCheckpoint(
  repository: Repository,
  record: InvocationRecord,
  { checkpoint: number, against, settings }: CheckpointDiffOptions,
): Promise<SandboxDiff> {
  const checkpoint = findCheckpoint(repository, record, number)
  const taken = await momentOf(repository, checkpoint)
  if (against === 'now') return diffMoments(repository, taken, await momentNow(repository, record, settings))
  const all = readCheckpoints(repository.paths, record.invocation_id)
  const before = against === 'before' ? all[all.findIndex(({ id }) => id === number) - 1] : undefined
  const older =
    before === undefined
      ? { commit: record.base_commit, head: record.base_commit }
      : await momentOf(repository, before)
  return diffMoments(repository, older, taken)
}

async function momentOf(
  repository: Repository,
  { snapshot_commit, tree, incomplete }: Checkpoint,
): Promise<Moment> {
  const { head } = await readKeptState(repository, snapshot_commit)
  return { commit: snapshot_commit, head, tree, incomplete }
}

/** Captures the sandbox as a checkpoint would, without keeping anything. */
async function momentNow(
  repository: Repository,
  record: InvocationRecord,
  settings: CheckpointSettings,
): Promise<Moment> {
  if (isClosed(record)) {
    throw new AgencyError(
      'E_INVOCATION_CLOSED',
      `${record.invocation_id} was ${record.landing_status}: its sandbox is gone`,
    )
  }
  const { head, state_tree, incomplete } = await openChangeset(repository, record).capture(
    leaveOutOf(record, settings),
  )
  return { commit: head, head, tree: state_tree, incomplete }
}

async function diffMoments(
  { git: { store } }: Repository,
  older: Pick<Moment, 'commit' | 'head'>,
  newer: Moment,
): Promise<SandboxDiff> {
  const { head, tree, incomplete } = newer
  const from = await store.object(['rev-parse', `${older.commit}^{tree}`])
  const [commits, changes, own, patch] = await Promise.all([
    readCommitLines(store, older.head, head),
    diffWithCounts(store, { from, to: tree }),
    diffPaths(store, parseObjectId(await store.text(['rev-parse', `${head}^{tree}`])), tree),
    readPatch(store, { from, to: tree, ignore_whitespace: false }),
  ])
  const paths = new Set(own.changes.map(({ path }) => path))
  return {
    part: null,
    ignore_whitespace: false,
    base: older.commit,
    head,
    state_tree: tree,
    commits,
    files: toFileChanges(changes, { paths, untracked: new Set() }),
    dirty: paths.size > 0,
    incomplete,
    patch,
  }
}
