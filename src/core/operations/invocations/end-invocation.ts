// Stops or kills an invocation by asking its host, which is the runner's parent. If no host answers any more, the
// processes are found and signalled from here, and the record is corrected.

import type { StopReport } from '../../facade/agency.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import { hostTitle, type InvocationRecord, isActive } from '../../model/invocation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { hostSocket } from './host-socket.ts'
import { killLeftovers } from './kill-leftovers.ts'
import { reconcile, recordVanished } from './reconcile.ts'

/** Milliseconds that we wait for a starting host to come up, or for a host to record the end that it has reported. */
const PATIENCE = 10_000

/** Resolves when the record says that it has ended. Throws E_INVOCATION_NOT_RUNNING. */
export async function endInvocation(
  repository: Repository,
  record: InvocationRecord,
  how: 'stop' | 'kill',
): Promise<StopReport> {
  const up = await waitUntil(repository, record, (seen) => seen.status !== 'starting')
  if (!isActive(up) && record.status !== 'starting') {
    throw new AgencyError('E_INVOCATION_NOT_RUNNING', `${up.invocation_id} has already ended`)
  }
  if (!isActive(up)) return { invocation: up, ended: true }
  appendEvent(repository.paths, up.invocation_id, {
    kind: how === 'stop' ? 'stop_requested' : 'kill_requested',
    message: how === 'stop' ? 'a person asked it to stop' : 'a person killed it',
  })
  const answer = await askHost(repository, up, how)
  if (answer === 'not a host') return { invocation: await endWithoutHost(repository, up), ended: true }
  if (answer === 'outlived') return { invocation: await reconcile(repository, up), ended: false }
  const ended = await waitUntil(repository, up, (seen) => !isActive(seen))
  return { invocation: ended, ended: !isActive(ended) }
}

/**
 * For an invocation whose record cannot be read. Its host, which may be waiting for a git, is found by its title; both are
 * killed, and all that runs for it. Returns how many processes that were.
 */
export async function killUnrecorded(repository: Repository, id: InvocationId): Promise<number> {
  const { processes } = repository.effects
  const family = processes.titled(hostTitle(id)).flatMap((host) => processes.familyOf(host))
  processes.signal(family, 'SIGKILL')
  const { tree } = repository.paths.invocation(id)
  return family.length + (await killLeftovers(repository, { invocation_id: id, sandbox_path: tree }))
}

/** For verbs that close sandboxes: SIGINT, after 5 s SIGTERM, then SIGKILL for what is left. */
export async function endForGood(
  repository: Repository,
  record: InvocationRecord,
): Promise<InvocationRecord> {
  const stopped = await endInvocation(repository, record, 'stop')
  return stopped.ended
    ? stopped.invocation
    : (await endInvocation(repository, stopped.invocation, 'kill')).invocation
}

/**
 * `outlived`: some processes are still alive. `not a host`: an agent has written another process into the record, which
 * is left alone.
 */
async function askHost(
  repository: Repository,
  record: InvocationRecord,
  how: 'stop' | 'kill',
): Promise<'ended' | 'outlived' | 'not a host'> {
  const { hosts, processes } = repository.effects
  if (record.host === null || !processes.isAlive(record.host)) return 'ended'
  try {
    return (await hosts.end(hostSocket(repository, record), how)) ? 'ended' : 'outlived'
  } catch (error) {
    if (!(error instanceof AgencyError) || error.code !== 'E_HOST_GONE') throw error
    if (processes.titleOf(record.host.pid) !== hostTitle(record.invocation_id)) return 'not a host'
    processes.signal(processes.familyOf(record.host), 'SIGKILL')
    return 'ended'
  }
}

const endWithoutHost = (repository: Repository, record: InvocationRecord): Promise<InvocationRecord> =>
  repository.locked(() => recordVanished(repository, readInvocation(repository.paths, record.invocation_id)))

async function waitUntil(
  repository: Repository,
  record: InvocationRecord,
  done: (seen: InvocationRecord) => boolean,
): Promise<InvocationRecord> {
  const { clock } = repository.effects
  const deadline = clock.elapsed() + PATIENCE
  let seen = await reconcile(repository, record)
  while (!done(seen) && clock.elapsed() < deadline) {
    await clock.sleep(20)
    seen = await reconcile(repository, readInvocation(repository.paths, record.invocation_id))
  }
  return seen
}
