// Recovers from a kill in the middle of a verb that closes sandboxes, or of its undo. The last line of the operation
// log says what was decided, and records and trees are brought to that. Landings have a journal of their own.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { findGitDir } from '../../doors/git/linked-worktrees.ts'
import { makeWay } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { deriveStacks, type Operation } from '../../model/operation.ts'
import { appendEvent } from '../../store/events.ts'
import { inspectRecord, isBroken, readInvocation, updateInvocation } from '../../store/invocations.ts'
import { readJournal } from '../../store/journal.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { finishIntegration, leftOfIntegration } from '../integration/integration-state.ts'
import { type Concern, recoverJournal } from '../integration/recover-journal.ts'
import { leftOf, tryFinishClosing } from './finish-closing.ts'

/** What a kill had interrupted and is finished now. */
export interface Finished {
  /** The last line of the log: a verb, or the undo or redo of one. */
  readonly line: Operation
  /** The verb that the line is about. */
  readonly verb: Operation
}

/** The caller holds the lock. null if nothing was interrupted. Throws what recoverJournal throws of the concern. */
export async function recoverInterrupted(
  repository: Repository,
  concern: Concern = {},
): Promise<Finished | null> {
  await recoverJournal(repository, concern)
  // A verb that is about to be noted needs a log, and not what an agent has put in its place.
  makeWay(repository.paths.operations)
  const log = readOperations(repository.paths)
  const line = log.at(-1)
  if (line === undefined) return null
  const verb = log.find(({ operation_id }) => operation_id === line.target) ?? line
  const next = deriveStacks(log).done.at(-1)
  // An undo of it may have been killed before it wrote a line.
  if (next !== undefined && next !== verb) {
    await settleUnless(isUnconcerned(concern, next), () => closeAgain(repository, next))
  }
  return await settleUnless(isUnconcerned(concern, line), () => settle(repository, line, verb))
}

async function settle(repository: Repository, line: Operation, verb: Operation): Promise<Finished | null> {
  const undone = line.kind === 'undo'
  switch (verb.kind) {
    case 'discard':
    case 'worktree_rm': {
      const settled = undone ? await reopenRecords(repository, line) : await close(repository, line, verb)
      return settled ? { line, verb } : null
    }
    // Their records and their line are written as one, by the journal.
    case 'land':
      return undone ? null : closeAgain(repository, line)
    case 'restore':
    case 'undo':
    case 'redo':
      return null
  }
}

const isUnconcerned = ({ invocations = [], worktree }: Concern, { invocation_ids, worktree_id }: Operation) =>
  worktree !== worktree_id && !invocation_ids.some((id) => invocations.includes(id))

/** Where a record is gone or cannot be read, that is nobody's concern but its own. */
async function settleUnless(
  unconcerned: boolean,
  work: () => Promise<Finished | null>,
): Promise<Finished | null> {
  try {
    return await work()
  } catch (error) {
    if (unconcerned && error instanceof AgencyError) return null
    throw error
  }
}

/** The verb, if the finished line is one of this kind or its redo; otherwise null. */
export const finishedAs = (finished: Finished | null, kind: Operation['kind']): Operation | null =>
  finished !== null && finished.line.kind !== 'undo' && finished.verb.kind === kind ? finished.line : null

/** Opens the records again after the trees are back. Returns true if a record had to be changed. */
export async function reopenRecords(repository: Repository, operation: Operation): Promise<boolean> {
  const { effects, paths } = repository
  let reopened = false
  const worktree = readWorktree(paths, operation.worktree_id)
  if (worktree.state === 'archived' && leftOfIntegration(repository, worktree) === 'whole') {
    effects.onStep('bring the worktree back')
    const git_dir = findGitDir(repository.git.commonDir, worktree)
    await updateWorktree(paths, worktree.worktree_id, { state: 'present', git_dir })
    reopened = true
  }
  for (const id of operation.invocation_ids) {
    const record = readInvocation(paths, id)
    if (leftOf(repository, record) !== 'whole') continue
    effects.onStep('bring the invocation back')
    const git_dir = openChangeset(repository, record).relocate()
    await updateInvocation(paths, id, { landing_status: 'pending', git_dir })
    reopened = true
  }
  return reopened
}

async function close(repository: Repository, line: Operation, verb: Operation): Promise<boolean> {
  const { paths } = repository
  let closed = false
  for (const id of line.invocation_ids) {
    if (!isClosed(readInvocation(paths, id))) {
      await updateInvocation(paths, id, { landing_status: 'discarded' })
      appendEvent(paths, id, { kind: 'discarded', message: line.description })
      closed = true
    }
    if (await finishRecord(repository, readInvocation(paths, id))) closed = true
  }
  return (verb.kind === 'worktree_rm' && (await closeWorktree(repository, line.worktree_id))) || closed
}

async function closeWorktree(repository: Repository, id: string): Promise<boolean> {
  const worktree = readWorktree(repository.paths, id)
  if (worktree.state === 'present') await updateWorktree(repository.paths, id, { state: 'archived' })
  const finished = await finishIntegration(repository, worktree)
  return worktree.state === 'present' || finished !== null
}

/**
 * Removes what an undo of this verb had brought back before it was killed. Records that are open stay open. A landing that
 * is being written or taken back has a journal, which says what becomes of its sandboxes.
 */
async function closeAgain(repository: Repository, verb: Operation): Promise<null> {
  const { paths } = repository
  if (verb.kind === 'restore' || readJournal(paths, verb.worktree_id) !== null) return null
  for (const id of verb.invocation_ids) {
    const record = inspectRecord(paths, id)
    if (record !== null && !isBroken(record)) await finishRecord(repository, record)
  }
  if (verb.kind !== 'worktree_rm') return null
  const worktree = readWorktree(paths, verb.worktree_id)
  if (worktree.state === 'archived') await finishIntegration(repository, worktree)
  return null
}

/** Returns whether there was something to finish, and it could be. */
const finishRecord = async (repository: Repository, record: InvocationRecord): Promise<boolean> =>
  leftOf(repository, record) !== null && (await tryFinishClosing(repository, record))
