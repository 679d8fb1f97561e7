// Drops a sandbox without landing its work. Its whole state is kept under a ref first, so that undo can bring it back.

import { openChangeset } from '../../changesets/open-changeset.ts'
import type { Discarded } from '../../facade/agency.ts'
import { AgencyError } from '../../model/errors.ts'
import { shortId } from '../../model/ids.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import type { Operation } from '../../model/operation.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation, updateInvocation } from '../../store/invocations.ts'
import { appendOperation } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { type EndInvocation, ensureEnded } from '../invocations/ensure-ended.ts'
import { killLeftovers } from '../invocations/kill-leftovers.ts'
import { atRest } from './at-rest.ts'
import {
  type CapturedSandbox,
  closingNotes,
  keepSandbox,
  letSandboxGo,
  trashRef,
  wholeAt,
} from './close-sandbox.ts'
import { finishedAs, recoverInterrupted } from './recover-closing.ts'

/** Throws E_INVOCATION_CLOSED, E_STILL_RUNNING, E_INVOCATION_BROKEN, E_PATH_NOT_OURS; then nothing has changed. */
export async function discardInvocation(
  repository: Repository,
  record: InvocationRecord,
  end: EndInvocation,
): Promise<Discarded> {
  const id = record.invocation_id
  const concern = { invocations: [id] }
  const finished = await repository.locked(() => recoverInterrupted(repository, concern))
  const now = readInvocation(repository.paths, id)
  if (finishedAs(finished, 'discard')?.invocation_ids.includes(id)) {
    return {
      invocation: now,
      kept_ref: trashRef(id),
      notes: ['the discard was interrupted; it is finished now'],
    }
  }
  refuseSecondDiscard(now)
  const ended = await ensureEnded(record, end)
  await killLeftovers(repository, ended)
  return atRest(repository, [ended], async () => {
    const capture = await openChangeset(repository, ended).captureToClose()
    return repository.locked(async () => {
      await recoverInterrupted(repository, concern)
      return discardCaptured(repository, { record: ended, capture })
    })
  })
}

/** What differs between a discard and its redo in the log. */
export type Again = Pick<Operation, 'kind' | 'description' | 'target'>

/** The caller holds the lock. */
export async function discardCaptured(
  repository: Repository,
  sandbox: CapturedSandbox,
  again?: Again,
): Promise<Discarded> {
  const { effects, paths } = repository
  const id = sandbox.record.invocation_id
  const record = readInvocation(paths, id)
  refuseSecondDiscard(record)
  if (isActive(record)) throw new AgencyError('E_INVOCATION_RUNNING', `${id} was started again`)
  const refs = await keepSandbox(repository, sandbox)
  effects.onStep('append the operation')
  const operation = appendOperation(
    paths,
    {
      kind: 'discard',
      description: `discarded ${shortId(id)} (${record.runner})`,
      target: null,
      worktree_id: record.integration_worktree_id,
      invocation_ids: [id],
      refs,
      ...again,
    },
    { now: effects.clock.now(), random: effects.random() },
  )
  effects.onStep('close the invocation')
  const invocation = await updateInvocation(paths, id, { landing_status: 'discarded' })
  appendEvent(paths, id, { kind: 'discarded', message: operation.description })
  const left = await letSandboxGo(repository, { record, refs, whole_at: wholeAt(sandbox.capture) })
  return { invocation, kept_ref: trashRef(id), notes: [...closingNotes(sandbox.capture), ...left] }
}

function refuseSecondDiscard(record: InvocationRecord): void {
  if (!isClosed(record)) return
  throw new AgencyError('E_INVOCATION_CLOSED', `${record.invocation_id} was already ${record.landing_status}`)
}
