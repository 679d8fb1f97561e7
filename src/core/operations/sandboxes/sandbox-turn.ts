// Whoever reads or writes the whole of a sandbox takes turns with all others who do: nobody keeps, lands or discards what
// another process is just restoring.

import { lstatIfThere } from '../../doors/system/files.ts'
import { withLock } from '../../doors/system/lock.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'

/** Begins the name of the lock, and of what a kill leaves beside it. */
export const TURN_LOCK = '.checkpoint-lock'

/** Throws E_LOCKED. Not reentrant, and never while the caller holds the repository's lock: that is taken inside a turn. */
export function inSandboxTurn<T>(
  { paths, effects }: Repository,
  { invocation_id }: Pick<InvocationRecord, 'invocation_id'>,
  work: () => Promise<T>,
): Promise<T> {
  const { sandboxDir } = paths.invocation(invocation_id)
  // Where nothing is, nobody is at work; what that means is for the verb to say.
  return lstatIfThere(sandboxDir) === null ? work() : withLock(`${sandboxDir}/${TURN_LOCK}`, effects, work)
}
