// Whoever reads or writes a whole sandbox takes turns with all others who do, so that nobody keeps, lands or discards
// what another process is just restoring.

import { lstatIfThere } from '../../doors/system/files.ts'
import { withLock } from '../../doors/system/lock.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'

/** The lock's name, and the beginning of the names that a kill leaves beside it. */
export const TURN_LOCK = '.checkpoint-lock'

/**
 * Throws E_LOCKED. Not reentrant. Must not be called while holding the repository's lock: that is taken inside a turn.
 */
export function inSandboxTurn<T>(
  { paths, effects }: Repository,
  { invocation_id }: Pick<InvocationRecord, 'invocation_id'>,
  work: () => Promise<T>,
): Promise<T> {
  const { sandboxDir } = paths.invocation(invocation_id)
  // If the directory is missing, nobody can be at work in it. The verb itself says what that means.
  return lstatIfThere(sandboxDir) === null ? work() : withLock(`${sandboxDir}/${TURN_LOCK}`, effects, work)
}
