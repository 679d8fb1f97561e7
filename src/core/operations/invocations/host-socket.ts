// Where the host of an invocation listens. The record is checked, because agents can write it: if it named the socket
// of another invocation, that one would be stopped, or its terminal shown.

import { basename } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { hostSocketName, type InvocationRecord } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'

/** Throws E_HOST_GONE where the record has no socket of its own. */
export function hostSocket(
  repository: Repository,
  { invocation_id, host }: Pick<InvocationRecord, 'invocation_id' | 'host'>,
): string {
  const own = hostSocketName(repository.record.repo_id, invocation_id)
  if (host !== null && basename(host.socket_path) === own) return host.socket_path
  throw new AgencyError('E_HOST_GONE', `the record of ${invocation_id} names no socket of its own`)
}
