// Makes a sandbox again from the commit that keeps its state.

import type { Remade } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import type { Repository } from '../../store/repository.ts'

/**
 * Files, modes, links, what was staged, branch and HEAD are as they were kept. The record is not written: the caller
 * does that with the git directory that is answered, since git may have had to choose another one. Throws
 * E_UNDO_EXPIRED where `commit` keeps no state; whatever fails leaves nothing behind.
 */
export async function restoreSandbox(
  repository: Repository,
  record: InvocationRecord,
  commit: ObjectId,
): Promise<Remade> {
  const remade = await openChangeset(repository, record).remake(commit)
  appendEvent(repository.paths, record.invocation_id, {
    kind: 'restored',
    message: 'its sandbox is back',
    commit,
  })
  return remade
}
