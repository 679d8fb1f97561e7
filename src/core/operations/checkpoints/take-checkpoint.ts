// Takes a checkpoint: writes a sandbox's whole state as one commit under a ref of its own, while the agent may be
// working. No index, lock, ref or file of the agent's is touched.

import type { Capture, Verbatim } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import type { LeaveOut } from '../../changesets/worktree/capture/leave-out.ts'
import {
  type DescribedState,
  describeKept,
  type KeptCapture,
  keepDescribed,
} from '../../changesets/worktree/keep/keep-capture.ts'
import type { Git } from '../../doors/effects.ts'
import { awaitCollector } from '../../doors/git/collector.ts'
import { type DescribeDiff, diffPaths, withDiffstat } from '../../doors/git/compare-trees.ts'
import { readLooseBranch } from '../../doors/git/read-head.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { isRefusedByGit } from '../../doors/git/ref-failure.ts'
import { type Checkpoint, type CheckpointReason, snapshotRef } from '../../model/checkpoint.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { compileDenylist } from '../../model/denylist.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { parseKeptState } from '../../model/kept-state.ts'
import { rawOf } from '../../model/raw-bytes.ts'
import { nextCheckpointId, readCheckpointsFile, updateCheckpoints } from '../../store/checkpoints.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { inSandboxTurn } from '../sandboxes/sandbox-turn.ts'
import { dropLost } from './drop-lost.ts'

export interface CheckpointRequest {
  readonly reason: CheckpointReason
  readonly turn?: number | null
  readonly name?: string | null
  readonly settings: CheckpointSettings
}

/**
 * Returns null if nothing has changed since the last one. Throws E_CHECKPOINT_SKIPPED, E_RECORD_UNREADABLE,
 * E_INVOCATION_BROKEN, E_INVOCATION_CLOSED, E_GIT_FAILED; then nothing of it is left. Must not be called while holding
 * the repository's lock.
 */
export const takeCheckpoint = (
  repository: Repository,
  record: InvocationRecord,
  request: CheckpointRequest,
): Promise<Checkpoint | null> =>
  inSandboxTurn(repository, record, async () => (await takeByScan(repository, record, request)).checkpoint)

/**
 * The caller has the sandbox's turn. Tries twice: what somebody has pruned is written anew by a second look at the
 * tree, and a lost checkpoint is dropped so that it is no parent of this one.
 */
export async function takeByScan(
  repository: Repository,
  record: InvocationRecord,
  request: CheckpointRequest,
): Promise<Scanned> {
  try {
    return await scanSandbox(repository, record, request)
  } catch (error) {
    if (!isRefusedByGit(error)) throw error
    await dropLost(repository, record)
    return scanSandbox(repository, record, request)
  }
}

export interface Scanned {
  readonly checkpoint: Checkpoint | null
  readonly capture: Capture
  readonly described: DescribedState
}

async function scanSandbox(
  repository: Repository,
  record: InvocationRecord,
  request: CheckpointRequest,
): Promise<Scanned> {
  const last = readLast(repository, record)
  const capture = await openChangeset(repository, record).capture(leaveOutOf(record, request.settings))
  refuseSecrets(capture, request.settings)
  const same = await isSame(repository, record, { capture, last, exactly: EXACT.includes(request.reason) })
  if (!same) return { capture, ...(await writeCheckpoint(repository, record, { capture, last, request })) }
  const described = { capture, branch: record.sandbox_branch, at: repository.effects.clock.now() }
  return { capture, checkpoint: null, described: await describeKept(repository.git.store, described) }
}

export const leaveOutOf = (
  { include_untracked }: InvocationRecord,
  { denylist, max_file_size }: CheckpointSettings,
): LeaveOut => ({ isSecret: compileDenylist(denylist), max_file_size, untracked: !include_untracked })

export interface Last {
  /** null if there is none yet. */
  readonly checkpoint: Checkpoint | null
  readonly next_id: number
  /** Files that earlier checkpoints have left out: the person was told of these. */
  readonly told: ReadonlySet<string>
}

export function readLast({ paths }: Repository, { invocation_id }: InvocationRecord): Last {
  const file = readCheckpointsFile(paths, invocation_id)
  return {
    checkpoint: file.checkpoints.at(-1) ?? null,
    next_id: nextCheckpointId(file),
    told: new Set(file.checkpoints.flatMap(({ excluded }) => excluded)),
  }
}

export function refuseSecrets(
  { excluded }: Pick<Capture, 'excluded'>,
  { on_denylisted, denylist }: CheckpointSettings,
): void {
  if (on_denylisted !== 'skip') return
  const isSecret = compileDenylist(denylist)
  const secrets = excluded.filter((path) => isSecret(rawOf(path)))
  if (secrets.length === 0) return
  throw new AgencyError('E_CHECKPOINT_SKIPPED', `no checkpoint: ${secrets.join(', ')} may be secret`, {
    details: { paths: secrets },
  })
}

/**
 * For these reasons a change of what is staged, or of the branch, counts too: a restore has to bring back everything.
 */
const EXACT: readonly CheckpointReason[] = ['asked', 'restore']

interface StateComparison {
  readonly capture: Capture
  readonly last: Last
  readonly exactly: boolean
}

/** Before the first checkpoint, the base stands in for one, so an agent that does nothing has no checkpoint. */
async function isSame(
  { git }: Repository,
  { base_commit }: InvocationRecord,
  { capture, last, exactly }: StateComparison,
): Promise<boolean> {
  const { checkpoint } = last
  if (checkpoint === null)
    return !(exactly || capture.dirty || capture.unborn || capture.head !== base_commit)
  if (checkpoint.tree !== capture.state_tree || checkpoint.head_sha !== checkpointHead(capture)) return false
  if ((checkpoint.verbatim_tree ?? null) !== (capture.verbatim?.tree ?? null)) return false
  if (!exactly) return true
  const message = await git.store.text(['log', '-1', '--format=%B', checkpoint.snapshot_commit])
  const kept = parseKeptState(message)
  if (kept?.index_tree !== capture.index_tree || kept.head_ref !== capture.head_ref) return false
  return kept.branch_tip === (await readTip(git.store, `refs/heads/${kept.branch}`))
}

const checkpointHead = ({ head, unborn }: Capture): ObjectId | null => (unborn ? null : head)

interface TakingState {
  readonly capture: Capture
  readonly last: Last
  readonly request: CheckpointRequest
}

async function writeCheckpoint(
  repository: Repository,
  record: InvocationRecord,
  { capture, last, request }: TakingState,
): Promise<Pick<Scanned, 'checkpoint' | 'described'>> {
  const { git, effects } = repository
  const at = effects.clock.now()
  const branch = record.sandbox_branch
  const isAtHead = !capture.unborn && readLooseBranch(git.commonDir, branch) === capture.head
  effects.onStep('keep the checkpoint')
  const { id, ref, commit, described } = await withFreeRef(
    git.store,
    { record, from: last.next_id },
    (id, ref) =>
      keepDescribed(git.store, {
        ref,
        subject: checkpointSubject(record, id),
        branch,
        capture,
        ...(isAtHead ? { branch_tip: capture.head } : {}),
        at,
        after: last.checkpoint?.snapshot_commit ?? null,
        create: true,
      }),
  )
  const staged = capture.index_tree === null ? null : (described.parents[1] ?? null)
  const made = { id, ref, commit, at, ...capture, staged, head_sha: checkpointHead(capture) }
  const checkpoint = await withDiffstat(git.store, (describe) =>
    recordCheckpoint(repository, record, { last, request, made, describe }),
  )
  return { described, checkpoint }
}

export const checkpointSubject = ({ invocation_id, invocation_name }: InvocationRecord, id: number): string =>
  `Checkpoint ${id} of ${invocation_id} (${invocation_name})`

/**
 * If a kill came after the ref and before its record, the ref is left. Its number stays taken, and the next one is
 * tried.
 */
async function withFreeRef(
  store: Git,
  { record, from }: { readonly record: InvocationRecord; readonly from: number },
  keep: (id: number, ref: string) => Promise<KeptCapture>,
): Promise<KeptCapture & { readonly id: number; readonly ref: string }> {
  for (let id = from; ; id++) {
    const ref = snapshotRef(record.invocation_id, id)
    try {
      return { id, ref, ...(await keep(id, ref)) }
    } catch (error) {
      if ((await readTip(store, ref)) === null) throw error
    }
  }
}

export interface MadeCheckpoint {
  readonly id: number
  readonly ref: string
  readonly commit: ObjectId
  readonly at: Date
  readonly head_sha: ObjectId | null
  readonly state_tree: ObjectId
  readonly verbatim: Verbatim | null
  /** The commit of what was staged, if one was written. */
  readonly staged: ObjectId | null
  readonly excluded: readonly string[]
  readonly incomplete: readonly string[]
}

export interface Recording {
  readonly last: Last
  readonly request: CheckpointRequest
  readonly made: MadeCheckpoint
  readonly describe: DescribeDiff
}

/** Counting lines reads every new object, so we notice here if a `git gc --prune=now` has deleted one meanwhile. */
export async function recordCheckpoint(
  repository: Repository,
  record: InvocationRecord,
  { last, request, made, describe }: Recording,
): Promise<Checkpoint> {
  const { store } = repository.git
  try {
    await awaitCollector(repository.git.commonDir, repository.effects.clock)
    if (made.staged !== null) await diffPaths(store, made.head_sha ?? record.base_commit, made.staged)
    const checkpoint: Checkpoint = {
      id: made.id,
      snapshot_ref: made.ref,
      snapshot_commit: made.commit,
      head_sha: made.head_sha,
      created_at: made.at.toISOString(),
      includes_untracked: record.include_untracked,
      diffstat: await describe(last.checkpoint?.snapshot_commit ?? record.base_commit, made.commit),
      parent: last.checkpoint?.id ?? null,
      tree: made.state_tree,
      ...(made.verbatim === null ? {} : { verbatim_tree: made.verbatim.tree }),
      reason: request.reason,
      turn: request.turn ?? null,
      name: request.name ?? null,
      excluded: [...made.excluded],
      incomplete: [...made.incomplete],
    }
    repository.effects.onStep('record the checkpoint')
    await updateCheckpoints(repository, record.invocation_id, (before) => {
      refuseCheckpointOfClosed(repository, record)
      return [...before, checkpoint]
    })
    tellExcluded(
      repository,
      record,
      made.excluded.filter((path) => !last.told.has(path)),
    )
    return checkpoint
  } catch (error) {
    await store.run(['update-ref', '--no-deref', '-d', made.ref, made.commit])
    throw error
  }
}

/** Whoever closed the invocation has deleted its refs, and none may come after. The caller holds the lock. */
function refuseCheckpointOfClosed({ paths }: Repository, { invocation_id }: InvocationRecord): void {
  if (isClosed(readInvocation(paths, invocation_id))) throw new AgencyError('E_INVOCATION_CLOSED')
}

/** Tells the person once for each file. */
function tellExcluded(
  { paths }: Repository,
  { invocation_id }: InvocationRecord,
  files: readonly string[],
): void {
  for (const path of files) {
    const message = `${path} is left out of checkpoints: it may be secret, or it is too large`
    appendEvent(paths, invocation_id, { kind: 'checkpoint_excluded', message, path })
  }
}
