// After a kill in the middle of a verb that closes sandboxes, or of its undo. The last line of the operation log says
// what was decided; records and trees are brought to that. A landing has a journal of its own.

import { integrationTree, sandboxTree } from '../effects/our-tree.ts'
import { findGitDir } from '../effects/remove-tree.ts'
import { isClosed } from '../model/invocation.ts'
import type { Operation } from '../model/operation.ts'
import { appendEvent } from '../store/events.ts'
import { readInvocation, updateInvocation } from '../store/invocations.ts'
import { readOperations } from '../store/operations-log.ts'
import type { Repository } from '../store/repository.ts'
import { readWorktree, updateWorktree } from '../store/worktrees.ts'
import { finishClosing, isLeftOver } from './finish-closing.ts'
import { finishIntegration } from './integration-state.ts'
import { recoverJournal } from './recover-journal.ts'

/** The caller holds the lock. The operation that was finished by this; null where none was interrupted. */
export async function recoverInterrupted(repository: Repository): Promise<Operation | null> {
  await recoverJournal(repository)
  const log = readOperations(repository.paths)
  const last = log.at(-1)
  if (last === undefined) return null
  const verb = log.find(({ operation_id }) => operation_id === last.target) ?? last
  if (verb.kind !== 'discard' && verb.kind !== 'worktree_rm') return null
  const settled =
    last.kind === 'undo' ? await reopenRecords(repository, last) : await close(repository, last, verb)
  return settled ? { ...last, kind: verb.kind } : null
}

/** The trees are back; the records follow. True where one did. */
export async function reopenRecords(repository: Repository, operation: Operation): Promise<boolean> {
  const { effects, paths } = repository
  let reopened = false
  const worktree = readWorktree(paths, operation.worktree_id)
  if (worktree.state === 'archived') {
    effects.onStep('bring the worktree back')
    const git_dir = findGitDir(repository, integrationTree(repository, worktree))
    await updateWorktree(paths, worktree.worktree_id, { state: 'present', git_dir })
    reopened = true
  }
  for (const id of operation.invocation_ids) {
    const record = readInvocation(paths, id)
    if (!isLeftOver(repository, record)) continue
    effects.onStep('bring the invocation back')
    const git_dir = findGitDir(repository, sandboxTree(repository, record))
    await updateInvocation(paths, id, { landing_status: 'pending', git_dir })
    reopened = true
  }
  return reopened
}

async function close(repository: Repository, last: Operation, verb: Operation): Promise<boolean> {
  const { paths } = repository
  let closed = false
  for (const id of last.invocation_ids) {
    if (!isClosed(readInvocation(paths, id))) {
      await updateInvocation(paths, id, { landing_status: 'discarded' })
      appendEvent(paths, id, { kind: 'discarded', message: last.description })
      closed = true
    }
    const record = readInvocation(paths, id)
    if (!isLeftOver(repository, record)) continue
    await finishClosing(repository, record)
    closed = true
  }
  return (verb.kind === 'worktree_rm' && (await closeWorktree(repository, last.worktree_id))) || closed
}

async function closeWorktree(repository: Repository, id: string): Promise<boolean> {
  const worktree = readWorktree(repository.paths, id)
  if (worktree.state === 'present') await updateWorktree(repository.paths, id, { state: 'archived' })
  const finished = await finishIntegration(repository, worktree)
  return worktree.state === 'present' || finished !== null
}
