// Gives an invocation another label. Ids, paths and branches stay the same: only lists show the name.

import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { updateInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'

const LONGEST = 60

/** An empty name takes it away. Throws E_NAME_INVALID. */
export async function renameInvocation(
  repository: Repository,
  record: InvocationRecord,
  name: string,
): Promise<InvocationRecord> {
  const invocation_name = name.trim()
  if (invocation_name.length > LONGEST) {
    throw new AgencyError('E_NAME_INVALID', `a name of an agent has at most ${LONGEST} characters`, {
      hint: 'take a shorter one',
    })
  }
  return await repository.locked(() =>
    updateInvocation(repository.paths, record.invocation_id, { invocation_name }),
  )
}
