// A killed verb leaves the git processes that it has started, and they go on writing. Recovery waits until they have
// ended.

import { AgencyError } from '../../model/errors.ts'
import type { ProcessIdentity } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'

const PATIENCE = 1_500
const LOOK_AGAIN = 20

/** Throws E_LOCKED if one of them does not end. */
export async function awaitWriters(
  { effects }: Repository,
  { writers }: { readonly writers: readonly ProcessIdentity[] },
): Promise<void> {
  for (let looks = 0; looks < PATIENCE; looks++) {
    const alive = writers.find((writer) => effects.processes.isAlive(writer))
    if (alive === undefined) return
    await effects.clock.sleep(LOOK_AGAIN)
  }
  throw new AgencyError('E_LOCKED', 'git that an interrupted command started is still writing a worktree', {
    details: { processes: writers },
  })
}
