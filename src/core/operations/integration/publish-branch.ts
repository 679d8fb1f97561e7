// The only place where an integration branch and its tree are written: landing and undo both end here. The tree moves
// first, by a two-way merge that refuses to touch what the person edited; then the branch, by compare-and-swap; then
// the index. A journal written before lets whoever comes after a kill finish or undo it.

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
import { branchRef, checkIntegrationTree } from './check-integration-tree.ts'
import { findMissing, findObstacles } from './find-obstacles.ts'
import { explainRefusal, moveWorkTree, prepareMove, refuseOverwrite } from './move-work-tree.ts'
import { planTreeMove, type TreeMove } from './plan-tree-move.ts'
import { finishPublication, recoverJournal } from './recover-journal.ts'

export interface Publication {
  readonly from: ObjectId
  readonly to: ObjectId
  /** For the reflog: `agency: land b7c9`. */
  readonly reason: string
  /** Where it was planned before the lock was taken. */
  readonly move?: TreeMove
  /** Records that belong to the move: done after it, and after a kill by whoever recovers. */
  readonly completion?: Completion
}

/**
 * The caller holds the lock and has recovered the journal. Either all of it is done when this resolves, or nothing has
 * changed when it throws: E_WOULD_OVERWRITE naming the files, E_BRANCH_MOVED, E_INTEGRATION_BUSY,
 * E_NOT_INTEGRATION_TREE, or what git said. Sentences about what could not be cleaned up.
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
  const writing: Writing = {
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
    const recovery = await recoverJournal(repository).catch(() => null)
    if (recovery?.outcome === 'rolled_forward') return recovery.notes
    const now = await readTip(repository.git.store, branchRef(worktree))
    if (now !== from && now !== null) throw movedAway(worktree, publication, now)
    throw await explainRefusal(repository, { worktree, move, error })
  }
}

interface Writing {
  readonly repository: Repository
  readonly worktree: WorktreeRecord
  readonly move: TreeMove
  readonly reason: string
  readonly token: string
  readonly completion: Completion | null
}

/** Both git processes exist before the journal is written, which names them, and start after it. */
async function write(writing: Writing): Promise<readonly string[]> {
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
    return await finish(repository, journal)
  } finally {
    mover.abandon()
    referrer.abandon()
  }
}

/** The branch stays, but records follow; a kill between two of them is recovered like any other. */
const writeRecordsOnly = async (writing: Writing): Promise<readonly string[]> =>
  finish(writing.repository, await beginJournal(writing, []))

function lockIndex({ repository, worktree, move, token }: Writing): void {
  repository.effects.onStep('lock the index')
  takeIndexLock(worktree.git_dir, token)
  beginNextIndex(worktree.git_dir)
  if (move.patch !== null) writeNextPatch(worktree.git_dir, move.patch)
}

async function beginJournal(writing: Writing, prepared: readonly PreparedGit[]): Promise<Journal> {
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
    missing: findMissing(worktree.tree_path, move.changes),
    completion,
  }
  effects.onStep('write the journal')
  await writeJournal(paths, journal)
  return journal
}

async function finish(repository: Repository, journal: Journal): Promise<readonly string[]> {
  const notes = await finishPublication(repository, journal)
  repository.effects.onStep('remove the journal')
  removeJournal(repository.paths)
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
