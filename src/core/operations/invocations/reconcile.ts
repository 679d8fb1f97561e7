// Makes the record say what is true: a host or a starter that was killed cannot write its own end. Called on every read
// path, idempotent, no daemon. Source: slice 8, Invocation Reaper; records 7 and 8.

import { lastWrittenAt } from '../../doors/system/file-stamp.ts'
import { type InvocationRecord, isActive } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { killLeftovers } from './kill-leftovers.ts'
import { type InvocationList, type ListOptions, listInvocations } from './known-invocations.ts'

/** All invocations, each as it truly is. */
export async function reconcileAll(
  repository: Repository,
  options: ListOptions = {},
): Promise<InvocationList> {
  const { invocations, broken } = listInvocations(repository.paths, options)
  const reconciled: InvocationRecord[] = []
  for (const record of invocations) reconciled.push(await reconcile(repository, record))
  return { invocations: reconciled, broken }
}

/** The record as it truly is; written only where it was not. */
export async function reconcile(repository: Repository, record: InvocationRecord): Promise<InvocationRecord> {
  if (!isActive(record) || isAttended(repository, record)) return record
  return await repository.locked(async () => {
    const fresh = readInvocation(repository.paths, record.invocation_id)
    if (!isActive(fresh) || isAttended(repository, fresh)) return fresh
    return await recordVanished(repository, fresh)
  })
}

/** Somebody alive is there to write the next state: the host, or until it is up the process that makes the sandbox. */
function isAttended({ effects }: Repository, record: InvocationRecord): boolean {
  return effects.processes.isAlive(record.host ?? record.starter)
}

/** The caller holds the lock, and knows that no host of its own attends to it. */
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

/** Milliseconds since the epoch of the last chunk of output, from the logs' own times; null before any. */
export function lastOutputAt({ paths }: Repository, record: InvocationRecord): number | null {
  const at = paths.invocation(record.invocation_id)
  const logs = record.mode === 'headed' ? [at.cast] : [at.raw, at.stderr]
  const times = logs.flatMap((log) => lastWrittenAt(log) ?? [])
  return times.length === 0 ? null : Math.max(...times)
}
