// The only place where an integration branch and its tree are written: every landing and undo comes through here. The
// tree moves first, by a git that refuses to touch what the person edited; then the branch, by compare-and-swap; then
// the index. A journal is written before, so that after a kill the next command can finish it or undo it
// (store/journal.ts).

import type { PreparedGit } from '../../doors/effects.ts'
import {
  beginNextIndex,
  placeNextIndex,
  releaseIndexLock,
  takeIndexLock,
  writeNextPatch,
} from '../../doors/git/index-lock.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { type Completion, type Journal, removeJournal, writeJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { notTakenBack } from '../history/not-taken-back.ts'
import { branchRef, checkIntegrationTree } from './check-integration-tree.ts'
import { findMissingPaths, findObstacles } from './find-obstacles.ts'
import { explainRefusal, moveWorkTree, prepareMove, refuseOverwrite } from './move-work-tree.ts'
import { planTreeMove, type TreeMove } from './plan-tree-move.ts'
import { finishPublication, recoverLanding } from './recover-landing.ts'

export interface Publication {
  readonly from: ObjectId
  readonly to: ObjectId
  /** For the reflog: `agency: land b7c9`. */
  readonly reason: string
  /** The move, if it was planned before the lock was taken. */
  readonly move?: TreeMove
  /** Records that belong to the move. They are written after it, or after a kill by whoever recovers. */
  readonly completion?: Completion
}

/**
 * The caller holds the lock and has recovered the journal. If it resolves, everything is done; if it throws, nothing
 * has changed: E_WOULD_OVERWRITE naming the files, E_BRANCH_MOVED, E_INTEGRATION_BUSY, E_NOT_INTEGRATION_TREE, or what
 * git said. Returns sentences about what could not be cleaned up.
 */
export async function publishBranch(
  repository: Repository,
  worktree: WorktreeRecord,
  publication: Publication,
): Promise<readonly string[]> {
  const tip = await checkIntegrationTree(repository, worktree)
  const { from, to, reason } = publication
  if (tip !== from) throw movedAway(worktree, publication, tip)
  const move = publication.move ?? (await planTreeMove(repository, from, to))
  refuseOverwrite(worktree, findObstacles(worktree.tree_path, move.changes))
  const writing: WritingBranch = {
    repository,
    worktree,
    move,
    reason,
    token: newToken(repository),
    completion: publication.completion ?? null,
  }
  try {
    return from === to ? await writeRecordsOnly(writing) : await write(writing)
  } catch (error) {
    const recovery = await recoverLanding(repository, worktree.worktree_id).catch(() => null)
    if (recovery?.outcome === 'rolled_forward') return recovery.notes
    const now = await readTip(repository.git.store, branchRef(worktree))
    if (now !== from && now !== to && now !== null) throw movedAway(worktree, publication, now)
    const explained = await explainRefusal(repository, { worktree, move, error })
    throw recovery === null ? notTakenBack(explained) : explained
  }
}

interface WritingBranch {
  readonly repository: Repository
  readonly worktree: WorktreeRecord
  readonly move: TreeMove
  readonly reason: string
  readonly token: string
  readonly completion: Completion | null
}

/** Both git processes are made before the journal, because it names them, and started after it. */
async function write(writing: WritingBranch): Promise<readonly string[]> {
  const { repository, worktree, move, reason } = writing
  const mover = await prepareMove(writing)
  const referrer = await repository.git
    .tree(worktree)
    .prepare(['update-ref', '--no-deref', '-m', reason, branchRef(worktree), move.to, move.from])
  try {
    const journal = await beginJournal(writing, [mover, referrer])
    lockIndex(writing)
    repository.effects.onStep('move the work tree')
    await moveWorkTree({ repository, worktree, move, mover, journal })
    repository.effects.onStep('move the branch')
    await referrer.start()
    repository.effects.onStep('put the index in place')
    placeNextIndex(worktree.git_dir)
    releaseIndexLock(worktree.git_dir, writing.token)
    return await finishJournal(repository, journal)
  } finally {
    mover.abandon()
    referrer.abandon()
  }
}

/**
 * For a landing that does not move the branch: only its records are written. A kill between two of them is recovered as
 * usual.
 */
const writeRecordsOnly = async (writing: WritingBranch): Promise<readonly string[]> =>
  finishJournal(writing.repository, await beginJournal(writing, []))

function lockIndex({ repository, worktree, move, token }: WritingBranch): void {
  repository.effects.onStep('lock the index')
  takeIndexLock(worktree.git_dir, token)
  beginNextIndex(worktree.git_dir)
  if (move.patch !== null) writeNextPatch(worktree.git_dir, move.patch)
}

async function beginJournal(writing: WritingBranch, prepared: readonly PreparedGit[]): Promise<Journal> {
  const { repository, worktree, move, reason, token, completion } = writing
  const { effects, paths } = repository
  const journal: Journal = {
    schema_version: '1.0',
    worktree_id: worktree.worktree_id,
    from: move.from,
    to: move.to,
    reason,
    token,
    begun_at: Date.now(),
    writers: prepared.flatMap(({ pid }) => effects.processes.identityOf(pid) ?? []),
    missing: findMissingPaths(worktree.tree_path, move.changes),
    completion,
  }
  effects.onStep('write the journal')
  await writeJournal(paths, journal)
  return journal
}

async function finishJournal(repository: Repository, journal: Journal): Promise<readonly string[]> {
  const notes = await finishPublication(repository, journal)
  repository.effects.onStep('remove the journal')
  removeJournal(repository.paths, journal.worktree_id)
  return notes
}

const newToken = ({ effects }: Repository): string =>
  `agency ${process.pid} ${Date.now()} ${Buffer.from(effects.random()).toString('hex')}`

const movedAway = ({ branch }: WorktreeRecord, { from }: Publication, tip: ObjectId): AgencyError =>
  new AgencyError(
    'E_BRANCH_MOVED',
    `${branch} is at ${tip.slice(0, 7)} and no longer at ${from.slice(0, 7)}`,
    { details: { branch, expected: from, found: tip } },
  )
