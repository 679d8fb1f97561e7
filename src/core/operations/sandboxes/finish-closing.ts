// Finishes a discard or landing that was killed: the record says closed, but the tree is still there. If its files have
// changed since they were kept, it waits in the trash instead of being deleted.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { presenceOf } from '../../changesets/presence.ts'
import { keepsCapture } from '../../changesets/worktree/keep/read-kept-state.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { letSandboxGo, trashRef, wholeAt } from './close-sandbox.ts'

/** Whether the record says closed and the tree is still there. Asked of every record, so it never throws. */
export const isLeftOver = (record: InvocationRecord): boolean =>
  isClosed(record) && presenceOf(record) === 'there'

/** The caller holds the lock. Returns sentences for the person. */
export async function finishClosing(repository: Repository, record: InvocationRecord): Promise<string[]> {
  const changeset = openChangeset(repository, record)
  if (changeset.dropHalfMade()) return []
  const capture = changeset.isPackedUp() ? null : await changeset.captureToClose()
  // What was packed up was kept before.
  const same = capture === null || (await keepsCapture(repository, trashRef(record.invocation_id), capture))
  const whole_at = same && capture !== null ? wholeAt(capture) : null
  const closing = readOperations(repository.paths).findLast(
    (operation) => operation.invocation_ids.includes(record.invocation_id) && operation.kind !== 'undo',
  )
  const left = await letSandboxGo(repository, { record, whole_at, refs: same ? (closing?.refs ?? []) : [] })
  return whole_at === null ? ['its files wait in the trash until gc', ...left] : left
}

/**
 * The same for a sandbox beside others: where it cannot be finished, that is noted, and keeps nobody from the others.
 * Returns false then.
 */
export async function tryFinishClosing(repository: Repository, record: InvocationRecord): Promise<boolean> {
  try {
    await finishClosing(repository, record)
    return true
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    appendEvent(repository.paths, record.invocation_id, { kind: 'cleanup_failed', message: error.message })
    return false
  }
}
