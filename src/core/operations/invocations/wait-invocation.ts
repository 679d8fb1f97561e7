// Waits until an invocation has ended. Its host writes the record; if the host is killed, the waiting finds that out.

import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isActive } from '../../model/invocation.ts'
import { readInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { reconcile } from './reconcile.ts'

const POLL_MS = 50

/** Throws E_STILL_RUNNING when `timeout_ms` has passed. */
export async function waitInvocation(
  repository: Repository,
  record: InvocationRecord,
  options: { readonly timeout_ms?: number },
): Promise<InvocationRecord> {
  const { clock } = repository.effects
  const deadline = clock.elapsed() + (options.timeout_ms ?? Number.POSITIVE_INFINITY)
  for (let seen = record; ; ) {
    seen = await reconcile(repository, seen)
    if (!isActive(seen)) return seen
    if (clock.elapsed() >= deadline) {
      throw new AgencyError('E_STILL_RUNNING', `${seen.invocation_id} is still running`)
    }
    await clock.sleep(POLL_MS)
    seen = readInvocation(repository.paths, seen.invocation_id)
  }
}
