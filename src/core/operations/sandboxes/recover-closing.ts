// Recovers from a kill in the middle of a verb that closes sandboxes, or of its undo. The last line of the operation
// log says what was decided, and records and trees are brought to that. Landings have a journal of their own.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { findGitDir } from '../../doors/git/linked-worktrees.ts'
import { makeWay } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { isClosed } from '../../model/invocation.ts'
import type { Operation } from '../../model/operation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { finishIntegration } from '../integration/integration-state.ts'
import { type Concern, recoverJournal } from '../integration/recover-journal.ts'
import { isLeftOver, tryFinishClosing } from './finish-closing.ts'

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
  switch (verb.kind) {
    case 'discard':
    case 'worktree_rm':
      return await settleUnless(isUnconcerned(concern, line), () => settle(repository, line, verb))
    // Their records and their line are written as one, by the journal.
    case 'land':
    case 'restore':
    case 'undo':
    case 'redo':
      return null
  }
}

async function settle(repository: Repository, line: Operation, verb: Operation): Promise<Finished | null> {
  const undone = line.kind === 'undo'
  const settled = undone ? await reopenRecords(repository, line) : await close(repository, line, verb)
  return settled ? { line, verb } : null
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
  if (worktree.state === 'archived') {
    effects.onStep('bring the worktree back')
    const git_dir = findGitDir(repository.git.commonDir, worktree)
    await updateWorktree(paths, worktree.worktree_id, { state: 'present', git_dir })
    reopened = true
  }
  for (const id of operation.invocation_ids) {
    const record = readInvocation(paths, id)
    if (!isLeftOver(record)) continue
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
    const record = readInvocation(paths, id)
    if (!isLeftOver(record)) continue
    if (await tryFinishClosing(repository, record)) closed = true
  }
  return (verb.kind === 'worktree_rm' && (await closeWorktree(repository, line.worktree_id))) || closed
}

async function closeWorktree(repository: Repository, id: string): Promise<boolean> {
  const worktree = readWorktree(repository.paths, id)
  if (worktree.state === 'present') await updateWorktree(repository.paths, id, { state: 'archived' })
  const finished = await finishIntegration(repository, worktree)
  return worktree.state === 'present' || finished !== null
}
