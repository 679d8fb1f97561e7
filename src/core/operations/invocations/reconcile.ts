// Makes the record say what is true: a host or a starter that was killed cannot record its own end. There is no daemon
// for this; every command that reads records calls it, and it may be repeated.

import { lastWrittenAt } from '../../doors/system/file-stamp.ts'
import { type InvocationRecord, isActive } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { killLeftovers } from './kill-leftovers.ts'
import { type InvocationList, type ListOptions, listInvocations } from './known-invocations.ts'

/** All invocations, each corrected. */
export async function reconcileAll(
  repository: Repository,
  options: ListOptions = {},
): Promise<InvocationList> {
  const { invocations, broken } = listInvocations(repository.paths, options)
  const reconciled: InvocationRecord[] = []
  for (const record of invocations) reconciled.push(await reconcile(repository, record))
  return { invocations: reconciled, broken }
}

/** The corrected record. Written only if it was not right. */
export async function reconcile(repository: Repository, record: InvocationRecord): Promise<InvocationRecord> {
  if (!isActive(record) || isAttended(repository, record)) return record
  return await repository.locked(async () => {
    const fresh = readInvocation(repository.paths, record.invocation_id)
    if (!isActive(fresh) || isAttended(repository, fresh)) return fresh
    return await recordVanished(repository, fresh)
  })
}

/**
 * Whether somebody alive will write the next state: the host, or, until it is up, the process that makes the sandbox.
 */
function isAttended({ effects }: Repository, record: InvocationRecord): boolean {
  return effects.processes.isAlive(record.host ?? record.starter)
}

/** The caller holds the lock, and knows that the invocation has no living host. */
export async function recordVanished(
  repository: Repository,
  record: InvocationRecord,
): Promise<InvocationRecord> {
  const killed = await killLeftovers(repository, record)
  const who = record.host === null ? 'the process that was starting it' : 'the process that kept it alive'
  const lastOutput = lastOutputAt(repository, record)
  appendEvent(repository.paths, record.invocation_id, {
    kind: 'host_vanished',
    message: `${who} ended without a word; ${killed} leftover ${killed === 1 ? 'process was' : 'processes were'} killed`,
    killed,
  })
  return await updateInvocation(repository.paths, record.invocation_id, {
    status: 'failed',
    exit_reason: 'unknown',
    failure: `${who} vanished`,
    finished_at: repository.effects.clock.now().toISOString(),
    last_output_at: lastOutput === null ? record.last_output_at : new Date(lastOutput).toISOString(),
    landing_status: 'pending',
  })
}

/** Milliseconds since the epoch of the last output, by the times of the log files; null before any. */
export function lastOutputAt({ paths }: Repository, record: InvocationRecord): number | null {
  const at = paths.invocation(record.invocation_id)
  const logs = record.mode === 'headed' ? [at.cast] : [at.raw, at.stderr]
  const times = logs.flatMap((log) => lastWrittenAt(log) ?? [])
  return times.length === 0 ? null : Math.max(...times)
}
