// Works on sandboxes that nobody is restoring, and that no killed restore has left half-written.

import type { InvocationRecord } from '../../model/invocation.ts'
import { isInterrupted } from '../../store/interrupted.ts'
import type { Repository } from '../../store/repository.ts'
import { recoverJournal } from '../integration/recover-journal.ts'
import { inSandboxTurn } from './sandbox-turn.ts'

/** Holds the turns of all these sandboxes while `work` runs. Throws E_LOCKED, and what recoverJournal throws of them. */
export function atRest<T>(
  repository: Repository,
  records: readonly InvocationRecord[],
  work: () => Promise<T>,
): Promise<T> {
  const inOrder = records.toSorted((a, b) => a.invocation_id.localeCompare(b.invocation_id))
  const invocations = inOrder.map(({ invocation_id }) => invocation_id)
  const begin = async (): Promise<T> => {
    if (isInterrupted(repository.paths))
      await repository.locked(() => recoverJournal(repository, { invocations }))
    return work()
  }
  return inOrder.reduceRight((next, record) => () => inSandboxTurn(repository, record, next), begin)()
}
