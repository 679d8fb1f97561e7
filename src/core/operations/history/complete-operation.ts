// What follows after a branch has moved: records, the operation log, the closing of sandboxes. Each step may be
// repeated, because after a kill another process does all of them again from the journal.

import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import type { Completion } from '../../store/journal.ts'
import { appendStamped } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { letSandboxGo } from '../sandboxes/close-sandbox.ts'

/**
 * The caller holds the lock. Returns sentences about what could not be cleaned up; doctor and gc will find that too.
 */
export async function completeOperation(repository: Repository, completion: Completion): Promise<string[]> {
  const { effects, paths } = repository
  const { operation } = completion
  const invocations: InvocationRecord[] = []
  for (const id of operation.invocation_ids) {
    effects.onStep('close the invocation')
    invocations.push(await settleRecord(repository, id, completion))
  }
  effects.onStep('append the operation')
  appendStamped(paths, operation)
  const notes: string[] = []
  for (const record of invocations.filter(isClosed)) {
    notes.push(...(await cleanUp(repository, record, completion)))
  }
  return notes
}

async function settleRecord(
  { paths }: Repository,
  id: string,
  { landing_status, operation }: Completion,
): Promise<InvocationRecord> {
  const before = readInvocation(paths, id)
  if (before.landing_status === landing_status) return before
  const record = await updateInvocation(paths, id, { landing_status })
  if (landing_status === 'landed' || landing_status === 'discarded') {
    appendEvent(paths, id, { kind: landing_status, message: operation.description })
  }
  return record
}

/** The work is safe by now, so a sandbox that cannot be removed leads to a sentence and not to an error. */
async function cleanUp(
  repository: Repository,
  record: InvocationRecord,
  { operation, whole_at }: Completion,
): Promise<string[]> {
  try {
    return await letSandboxGo(repository, { record, refs: operation.refs, whole_at })
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    appendEvent(repository.paths, record.invocation_id, { kind: 'cleanup_failed', message: error.message })
    return [`the sandbox could not be removed: ${error.message}`]
  }
}
