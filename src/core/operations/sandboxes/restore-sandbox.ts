// Makes a sandbox again from the commit that keeps its state.

import type { Remade } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import type { Repository } from '../../store/repository.ts'

/**
 * Files, modes, links, what was staged, branch and HEAD become what they were. The caller writes the record, with the
 * git directory that is returned, because git may have had to choose another one. Throws E_UNDO_EXPIRED if `commit`
 * keeps no state. If anything fails, nothing is left behind.
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
