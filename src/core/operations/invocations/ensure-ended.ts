// How a verb that closes sandboxes has their runners ended first, without knowing how that is done.

import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isActive } from '../../model/invocation.ts'

/**
 * Stops the runner, waits 5 s, kills what is left, and resolves with the record after that. Must not be called while
 * holding the repository's lock.
 */
export type EndInvocation = (record: InvocationRecord) => Promise<InvocationRecord>

/** Throws E_STILL_RUNNING. */
export async function ensureEnded(record: InvocationRecord, end: EndInvocation): Promise<InvocationRecord> {
  if (!isActive(record)) return record
  const ended = await end(record)
  if (isActive(ended)) {
    throw new AgencyError('E_STILL_RUNNING', `${record.invocation_id} is still running after a kill`, {
      hint: `agency agent kill ${record.invocation_id}`,
    })
  }
  return ended
}
