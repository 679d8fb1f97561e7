// Finishes a discard or landing that was killed: the record says closed, but the tree is still there. If its files have
// changed since they were kept, it waits in the trash instead of being deleted.

import type { LeftOver } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import { keepsCapture } from '../../changesets/worktree/keep/read-kept-state.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { deleteRefs, letSandboxGo, trashRef, wholeAt } from './close-sandbox.ts'

/** What is left of a sandbox whose record says that it is closed. Asked of every record, so it never throws. */
export function leftOf(repository: Repository, record: InvocationRecord): LeftOver | null {
  if (!isClosed(record)) return null
  try {
    return openChangeset(repository, record).leftOver()
  } catch (error) {
    if (error instanceof AgencyError) return null
    throw error
  }
}

/** The caller holds the lock. Returns sentences for the person. */
export async function finishClosing(repository: Repository, closed: InvocationRecord): Promise<string[]> {
  // An undo that was killed may have put its git directory elsewhere.
  const record = { ...closed, git_dir: openChangeset(repository, closed).relocate() }
  const changeset = openChangeset(repository, record)
  const closing = readOperations(repository.paths).findLast(
    (operation) => operation.invocation_ids.includes(record.invocation_id) && operation.kind !== 'undo',
  )
  const refs = closing?.refs ?? []
  // An undo moves the refs first.
  if (changeset.dropHalfMade()) return deleteRefs(repository, refs)
  const gone = changeset.presence() === 'gone'
  const capture = gone || changeset.isPackedUp() ? null : await changeset.captureToClose()
  // What is gone or packed up was kept before.
  const same = capture === null || (await keepsCapture(repository, trashRef(record.invocation_id), capture))
  const whole_at = same && capture !== null ? wholeAt(capture) : null
  const left = await letSandboxGo(repository, { record, whole_at, refs: same ? refs : [] })
  return whole_at === null && !gone ? ['its files wait in the trash until gc', ...left] : left
}

/** The same. Where it cannot be finished, an event says so. */
export async function finishNoting(repository: Repository, record: InvocationRecord): Promise<void> {
  try {
    await finishClosing(repository, record)
  } catch (error) {
    if (error instanceof AgencyError) {
      appendEvent(repository.paths, record.invocation_id, { kind: 'cleanup_failed', message: error.message })
    }
    throw error
  }
}

/** For a sandbox beside others: one that cannot be finished keeps nobody from the others. Returns false then. */
export async function tryFinishClosing(repository: Repository, record: InvocationRecord): Promise<boolean> {
  try {
    await finishNoting(repository, record)
    return true
  } catch (error) {
    if (error instanceof AgencyError) return false
    throw error
  }
}
