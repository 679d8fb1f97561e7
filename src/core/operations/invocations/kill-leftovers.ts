// If a host is killed, its runner lives on with nobody to record it. Nothing of an ended invocation may go on running.

import type { InvocationRecord } from '../../model/invocation.ts'
import { showPath } from '../../model/sandbox-path.ts'
import type { Repository } from '../../store/repository.ts'

/**
 * Kills what still runs for an invocation whose host is gone, and returns how many processes that were. Never kills a
 * host.
 */
export async function killLeftovers(
  { effects }: Repository,
  record: Pick<InvocationRecord, 'invocation_id' | 'sandbox_path'>,
): Promise<number> {
  const seen = new Set<number>()
  for (let round = 0; round < 20; round++) {
    const left = await effects.processes.ofInvocation(record.invocation_id, showPath(record.sandbox_path))
    if (left.length === 0) break
    for (const { pid } of left) seen.add(pid)
    effects.processes.signal(left, 'SIGKILL')
    await effects.clock.sleep(10)
  }
  return seen.size
}
