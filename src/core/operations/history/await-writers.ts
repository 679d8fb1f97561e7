// A verb that was killed leaves the git that it had started, which goes on writing. Nobody recovers beside it.

import { AgencyError } from '../../model/errors.ts'
import type { ProcessIdentity } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'

const PATIENCE = 1_500
const LOOK_AGAIN = 20

/** Throws E_LOCKED where one does not end. */
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
