// Undoes or redoes a restore: brings the sandbox to the state that was kept before, if it still is as the restore left
// it.

import type { Undone } from '../../facade/agency.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { shortId } from '../../model/ids.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import { deriveStacks, type Operation } from '../../model/operation.ts'
import { isRestoring, listInterrupted } from '../../store/interrupted.ts'
import { readInvocation } from '../../store/invocations.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import {
  carryOutRestore,
  type RestoreRequest,
  readStateKey,
  recoverRestore,
} from '../checkpoints/carry-out-restore.ts'
import { checkpointNow } from '../checkpoints/find-checkpoint.ts'
import { killLeftovers } from '../invocations/kill-leftovers.ts'
import { atRest } from '../sandboxes/at-rest.ts'
import { recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { moved } from './plan-undo.ts'

type Direction = 'undo' | 'redo'

/**
 * Returns null if what is next to be undone (or redone) is no restore. Must not be called while holding the lock.
 * Throws E_UNDO_MOVED where the sandbox has changed since, E_UNDO_EXPIRED.
 */
export async function reverseRestore(
  repository: Repository,
  direction: Direction,
  settings: CheckpointSettings,
): Promise<Undone | null> {
  const finished = await finishInterruptedRestore(repository, direction)
  if (finished !== null) return finished
  const operation = nextOf(repository, direction)
  if (operation?.kind !== 'restore') return null
  const record = recordOf(repository, operation)
  return atRest(repository, [record], () => reverseInTurn(repository, { operation, direction, settings }))
}

async function reverseInTurn(repository: Repository, reversal: Reversal): Promise<Undone> {
  const { operation, direction } = reversal
  const plan = await planReversal(repository, reversal)
  return repository.locked(async () => {
    await recoverInterrupted(repository, { invocations: operation.invocation_ids })
    if (nextOf(repository, direction)?.operation_id !== operation.operation_id) {
      throw moved('another command was quicker')
    }
    refuseChangedRecord(readInvocation(repository.paths, plan.record.invocation_id))
    const { notes } = await carryOutRestore(repository, plan)
    return { operation, notes }
  })
}

/** Finishes an interrupted restore and returns it: whoever repeats the command does not want a second one. */
async function finishInterruptedRestore(
  repository: Repository,
  direction: Direction,
): Promise<Undone | null> {
  if (!isRestoring(repository.paths)) return null
  const lines = await repository.locked(() => recoverRestores(repository))
  const line = lines.find(({ kind }) => kind === direction)
  const operation = readOperations(repository.paths).find(({ operation_id }) => operation_id === line?.target)
  if (operation === undefined) return null
  return { operation, notes: [`the ${direction} was interrupted; it is finished now`] }
}

/** The lines of those that could be finished. Whether one that could not concerns this command is not known yet. */
async function recoverRestores(repository: Repository): Promise<Operation[]> {
  const lines: Operation[] = []
  for (const { kind, id } of listInterrupted(repository.paths)) {
    if (kind !== 'restore' || id === null) continue
    const line = await recoverRestore(repository, id).catch(nullForOurs)
    if (line !== null) lines.push(line)
  }
  return lines
}

function nullForOurs(error: unknown): null {
  if (error instanceof AgencyError) return null
  throw error
}

interface Reversal {
  readonly operation: Operation
  readonly direction: Direction
  readonly settings: CheckpointSettings
}

async function planReversal(
  repository: Repository,
  { operation, direction, settings }: Reversal,
): Promise<RestoreRequest> {
  const { restored } = operation
  if (restored === undefined) throw notWhole()
  const record = recordOf(repository, operation)
  refuseChangedRecord(record)
  await killLeftovers(repository, record)
  const last = lastAbout(repository, operation)
  if ((await readStateKey(repository, record)) !== last.restored?.left) {
    throw moved(
      `the sandbox of ${shortId(record.invocation_id)} has changed since; its checkpoints hold both states`,
    )
  }
  const now = await checkpointNow(repository, record, settings)
  const undone = direction === 'undo'
  return {
    kind: direction,
    description: `${undone ? 'undid' : 'did again'}: ${operation.description}`,
    record,
    from: now.snapshot_commit,
    to: undone ? restored.from : restored.to,
    target: operation.operation_id,
    bring_back: last.operation_id,
    reverses: last.restored,
  }
}

function recordOf({ paths }: Repository, { invocation_ids }: Operation): InvocationRecord {
  const [id] = invocation_ids
  if (id === undefined) throw notWhole()
  return readInvocation(paths, id)
}

const notWhole = () => moved('its line in the log is not whole')

function nextOf({ paths }: Repository, direction: Direction): Operation | undefined {
  const { done, undone } = deriveStacks(readOperations(paths))
  return (direction === 'undo' ? done : undone).at(-1)
}

/** The line of the log that brought the sandbox to where it is now. What it had set aside comes back. */
const lastAbout = ({ paths }: Repository, operation: Operation): Operation =>
  readOperations(paths).findLast(({ target }) => target === operation.operation_id) ?? operation

function refuseChangedRecord(record: InvocationRecord): void {
  if (!isClosed(record) && !isActive(record)) return
  throw moved(`invocation ${shortId(record.invocation_id)} is ${record.landing_status ?? record.status} now`)
}
