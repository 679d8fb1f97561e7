// Carries out one restore, or its undo or redo: plans it, writes it down, does it, logs it. If it fails, it is taken
// back; if it is killed, the next command finishes it.

import type { Changeset } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import { readKeptState } from '../../changesets/worktree/keep/read-kept-state.ts'
import type { StatesOf } from '../../changesets/worktree/restore/plan-restore.ts'
import { findUnmoved, reverse } from '../../doors/git/move-refs.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { CHECKPOINT_DEFAULTS } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Operation, RefChange } from '../../model/operation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation } from '../../store/invocations.ts'
import { appendStamped, stampOperation } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import {
  type RestoreJournal,
  readRestoreJournal,
  removeRestoreJournal,
  writeRestoreJournal,
} from '../../store/restore-journal.ts'
import { awaitWriters } from '../history/await-writers.ts'
import { notTakenBack } from '../history/not-taken-back.ts'
import { leaveOutOf } from './take-checkpoint.ts'

export interface RestoreRequest extends StatesOf {
  readonly record: InvocationRecord
  readonly kind: 'restore' | 'undo' | 'redo'
  readonly description: string
  /** The operation that this undoes or redoes; null for a restore. */
  readonly target: string | null
}

export interface CarriedOut {
  readonly operation: Operation
  /** Sentences for the person. */
  readonly notes: readonly string[]
}

/**
 * The caller holds the lock, and nothing of the invocation runs. Throws what Changeset.restore does; then the sandbox
 * is as it was.
 */
export async function carryOutRestore(repository: Repository, request: RestoreRequest): Promise<CarriedOut> {
  const { effects, paths } = repository
  const { record } = request
  const changeset = openChangeset(repository, record)
  effects.onStep('plan the restore')
  // An index lock from before the agent's end was left by its git, which is gone. A younger lock is held by somebody at
  // work.
  changeset.refuseBusy(record.finished_at === null ? 0 : Date.parse(record.finished_at))
  const refs = await planSandboxBranch(repository, changeset, request)
  const plan = await changeset.planRestore(request)
  const journal: RestoreJournal = {
    schema_version: '1.0',
    invocation_id: record.invocation_id,
    from: request.from,
    to: request.to,
    operation: describeRestore(repository, request, refs),
    ...plan,
    bring_back: request.bring_back,
    writers: [],
  }
  effects.onStep('write the journal')
  await writeRestoreJournal(paths, journal)
  try {
    const notes = await changeset.restore(journal)
    const operation = await finishRestore(repository, record, journal)
    return { operation, notes: [...notes, ...asideNotes(repository, journal)] }
  } catch (error) {
    await takeRestoreBack(repository, record, journal)
    throw readRestoreJournal(paths, record.invocation_id) === null ? error : notTakenBack(error)
  }
}

/**
 * The caller holds the lock. Finishes a restore that a kill has interrupted, and returns its line of the log; null if
 * there was none.
 */
export async function recoverRestore(repository: Repository, id: string): Promise<Operation | null> {
  const journal = readRestoreJournal(repository.paths, id)
  if (journal === null) return null
  await awaitWriters(repository, journal)
  try {
    const record = readInvocation(repository.paths, journal.invocation_id)
    await openChangeset(repository, record).restore(journal, true)
    return await finishRestore(repository, record, journal)
  } catch (error) {
    if (!(error instanceof AgencyError) || !HOPELESS.has(error.code)) throw error
    giveUp(repository, journal, error.message)
    return null
  }
}

/** Another attempt would fail in the same way. */
const HOPELESS: ReadonlySet<string> = new Set([
  'E_UNDO_MOVED',
  'E_UNDO_EXPIRED',
  'E_PATH_NOT_OURS',
  'E_INVOCATION_NOT_FOUND',
  'E_RECORD_UNREADABLE',
])

function giveUp({ paths }: Repository, { invocation_id, from }: RestoreJournal, why: string): void {
  removeRestoreJournal(paths, invocation_id)
  appendEvent(paths, invocation_id, {
    kind: 'cleanup_failed',
    message: `a restore that was interrupted cannot be finished: ${why}; the state before it is ${from}`,
  })
}

async function finishRestore(
  repository: Repository,
  record: InvocationRecord,
  { operation, from, to }: RestoreJournal,
): Promise<Operation> {
  const { effects, paths } = repository
  effects.onStep('look at what it is now')
  const left = await readStateKey(repository, record)
  const line: Operation = { ...operation, restored: { from, to, left } }
  effects.onStep('append the operation')
  appendStamped(paths, line)
  appendEvent(paths, record.invocation_id, { kind: 'restored', message: line.description, commit: to })
  effects.onStep('remove the journal')
  removeRestoreJournal(paths, record.invocation_id)
  return line
}

/** Moves the sandbox's own branch, and never another one. */
async function planSandboxBranch(
  repository: Repository,
  changeset: Changeset,
  { record, to }: RestoreRequest,
): Promise<RefChange[]> {
  const kept = await readKeptState(repository, to)
  if (kept.branch !== record.sandbox_branch) {
    throw new AgencyError('E_RECORD_UNREADABLE', `${to} keeps the state of another sandbox: ${kept.branch}`)
  }
  const ref = `refs/heads/${record.sandbox_branch}`
  const tip = await readTip(repository.git.store, ref)
  if (tip === kept.branch_tip) return []
  const elsewhere = await changeset.otherCheckouts(ref)
  if (elsewhere.length > 0) {
    throw new AgencyError('E_WOULD_OVERWRITE', `${record.sandbox_branch} is checked out in ${elsewhere[0]}`, {
      hint: 'switch to another branch there, then try again',
      details: { paths: elsewhere },
    })
  }
  return [{ ref, from: tip, to: kept.branch_tip }]
}

const describeRestore = ({ effects }: Repository, request: RestoreRequest, refs: RefChange[]): Operation =>
  stampOperation(
    {
      kind: request.kind,
      description: request.description,
      worktree_id: request.record.integration_worktree_id,
      invocation_ids: [request.record.invocation_id],
      refs,
      target: request.target,
    },
    { now: effects.clock.now(), random: effects.random() },
  )

function asideNotes({ paths }: Repository, journal: RestoreJournal): string[] {
  const { in_the_way, invocation_id, operation } = journal
  if (in_the_way.length === 0) return []
  const what =
    in_the_way.length === 1
      ? '1 path that no checkpoint holds'
      : `${in_the_way.length} paths that no checkpoint holds`
  return [
    `${what} stood in the way: moved to ${paths.invocation(invocation_id).setAside}/${operation.operation_id}`,
  ]
}

/**
 * Never throws: the error that led here is the one to report. If taking back fails too, the journal stays, and the next
 * command goes on.
 */
export async function takeRestoreBack(
  repository: Repository,
  record: InvocationRecord,
  journal: RestoreJournal,
): Promise<void> {
  const { paths } = repository
  const { from, to, operation } = journal
  if (readRestoreJournal(paths, record.invocation_id) === null) return
  try {
    const refs = await passable(repository, operation.refs.map(reverse))
    const back: RestoreJournal = {
      ...journal,
      from: to,
      to: from,
      operation: { ...operation, operation_id: `${operation.operation_id}-back`, refs },
      left: [],
      in_the_way: [],
      bring_back: operation.operation_id,
    }
    await openChangeset(repository, record).restore(back, true)
    removeRestoreJournal(paths, record.invocation_id)
  } catch (error) {
    const message = `a restore that failed could not be taken back yet: ${String(error)}`
    appendEvent(paths, record.invocation_id, { kind: 'cleanup_failed', message })
  }
}

/** The refs that can go back. None if somebody else has moved the branch meanwhile: it stays where they put it. */
async function passable(repository: Repository, refs: readonly RefChange[]): Promise<RefChange[]> {
  try {
    return await findUnmoved(repository, refs)
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_UNDO_MOVED') return []
    throw error
  }
}

/**
 * What the sandbox holds, as a text: if two are equal, the states are. It need not be the state that was restored:
 * files that were ignored before a restore may not be ignored after it.
 */
export async function readStateKey(repository: Repository, record: InvocationRecord): Promise<string> {
  const changeset = openChangeset(repository, record)
  const leaveOut = leaveOutOf(record, CHECKPOINT_DEFAULTS)
  const { state_tree, head, index_tree, verbatim } = await changeset.capture(leaveOut)
  const beside = verbatim === null ? [] : [verbatim.tree]
  return [state_tree, head, index_tree ?? '-', ...beside].join(' ')
}
