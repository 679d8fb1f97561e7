// Archives an integration worktree: its sandboxes are discarded, its tree goes to the trash, its branch stays. The
// person's own edits in the tree are kept under a ref. Ignored files (their .env, say) stay whole in the trash, because
// in this tree they are the person's.

import { openChangeset } from '../../changesets/open-changeset.ts'
import type { Progress, RemovedWorktree } from '../../facade/agency.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import type { Operation, RefChange } from '../../model/operation.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { appendEvent } from '../../store/events.ts'
import { updateInvocation } from '../../store/invocations.ts'
import { appendOperation } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { type EndInvocation, ensureEnded } from '../invocations/ensure-ended.ts'
import { killLeftovers } from '../invocations/kill-leftovers.ts'
import { listInvocations } from '../invocations/known-invocations.ts'
import { atRest } from '../sandboxes/at-rest.ts'
import {
  type CapturedSandbox,
  closingNotes,
  deleteRefs,
  keepSandbox,
  letSandboxGo,
  wholeAt,
} from '../sandboxes/close-sandbox.ts'
import type { Again } from '../sandboxes/discard-invocation.ts'
import { finishedAs, recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { refuseUnfinished } from './check-integration-tree.ts'
import {
  type CapturedTree,
  captureIntegration,
  keepIntegration,
  letIntegrationGo,
  refuseUnlessTidy,
} from './integration-state.ts'

export interface RemovalOptions {
  /** Ends running invocations, and goes on although the tree has edits of the person's, which are kept. */
  readonly force: boolean
  readonly end: EndInvocation
  readonly progress: Progress
}

/** Throws E_WORKTREE_BUSY, E_WORKTREE_DIRTY, E_INTEGRATION_BUSY, E_WORKTREE_ARCHIVED, E_STILL_RUNNING, E_PATH_NOT_OURS. */
export async function removeWorktree(
  repository: Repository,
  worktree: WorktreeRecord,
  options: RemovalOptions,
): Promise<RemovedWorktree> {
  const concern = { worktree: worktree.worktree_id }
  const finished = await repository.locked(() => recoverInterrupted(repository, concern))
  const now = readWorktree(repository.paths, worktree.worktree_id)
  if (finishedAs(finished, 'worktree_rm')?.worktree_id === worktree.worktree_id) {
    return { worktree: now, discarded: [], notes: ['the removal was interrupted; it is finished now'] }
  }
  refuseArchived(now)
  const open = openInvocations(repository, worktree)
  if (!options.force) {
    refuseBusy(worktree, open)
    refuseUnfinished(worktree)
  }
  const ended = await endAll(open, options)
  return atRest(repository, ended, async () => {
    const captured = await captureAll(repository, { worktree, invocations: ended, options })
    return repository.locked(async () => {
      await recoverInterrupted(repository, concern)
      return removeCaptured(repository, captured)
    })
  })
}

function refuseArchived({ state, name }: WorktreeRecord): void {
  if (state === 'archived') throw new AgencyError('E_WORKTREE_ARCHIVED', `${name} was removed already`)
}

function openInvocations({ paths }: Repository, worktree: WorktreeRecord): InvocationRecord[] {
  return listInvocations(paths).invocations.filter(
    (record) => record.integration_worktree_id === worktree.worktree_id && !isClosed(record),
  )
}

function refuseBusy({ name }: WorktreeRecord, invocations: readonly InvocationRecord[]): void {
  const active = invocations.filter(isActive)
  if (active.length === 0) return
  const ids = active.map((record) => record.invocation_id)
  throw new AgencyError('E_WORKTREE_BUSY', `${ids.length} running in ${name}: ${ids.join(', ')}`, {
    details: { invocations: ids },
  })
}

async function endAll(
  invocations: readonly InvocationRecord[],
  { end, progress }: RemovalOptions,
): Promise<InvocationRecord[]> {
  const active = invocations.filter(isActive).length
  if (active > 0) progress(`stopping ${active === 1 ? '1 agent' : `${active} agents`}`)
  return Promise.all(invocations.map((record) => ensureEnded(record, end)))
}

export interface CapturedWorktree {
  readonly worktree: WorktreeRecord
  readonly sandboxes: readonly CapturedSandbox[]
  readonly tree: CapturedTree
}

interface CaptureAll {
  readonly worktree: WorktreeRecord
  readonly invocations: readonly InvocationRecord[]
  readonly options: RemovalOptions
}

async function captureAll(
  repository: Repository,
  { worktree, invocations, options }: CaptureAll,
): Promise<CapturedWorktree> {
  const tree = await captureIntegration(repository, worktree)
  if (!options.force) refuseUnlessTidy(worktree, tree)
  const sandboxes: CapturedSandbox[] = []
  for (const record of invocations) {
    options.progress(`keeping the work of ${record.invocation_id}`)
    await killLeftovers(repository, record)
    sandboxes.push({ record, capture: await openChangeset(repository, record).captureToClose() })
  }
  return { worktree, sandboxes, tree }
}

/** The caller holds the lock. */
export async function removeCaptured(
  repository: Repository,
  captured: CapturedWorktree,
  again?: Again,
): Promise<RemovedWorktree> {
  const { worktree, sandboxes, tree } = captured
  refuseChangedWorktree(repository, captured)
  const sandboxRefs = await keepAll(repository, sandboxes)
  const refs = [...sandboxRefs, ...(await keepIntegration(repository, worktree, tree))]
  appendRemoval(repository, captured, { refs, again })
  const discarded = await discardRecords(repository, sandboxes)
  repository.effects.onStep('archive the worktree')
  const archived = await updateWorktree(repository.paths, worktree.worktree_id, { state: 'archived' })
  for (const { record, capture } of sandboxes) {
    await letSandboxGo(repository, { record, refs: [], whole_at: wholeAt(capture) })
  }
  await letIntegrationGo(repository, worktree, tree)
  const left = await deleteRefs(repository, sandboxRefs)
  const notes = sandboxes.flatMap(({ record, capture }) =>
    closingNotes(capture).map((note) => `${record.invocation_id}: ${note}`),
  )
  return { worktree: archived, discarded, notes: [...notes, ...tree.notes, ...left] }
}

/** Refuses if another command has started or closed an invocation between our look and our lock. */
function refuseChangedWorktree(repository: Repository, { worktree, sandboxes }: CapturedWorktree): void {
  refuseArchived(readWorktree(repository.paths, worktree.worktree_id))
  const open = openInvocations(repository, worktree)
  const known = new Set(sandboxes.map(({ record }) => record.invocation_id))
  const other = open.filter((record) => isActive(record) || !known.has(record.invocation_id))
  if (other.length === 0 && open.length === known.size) return
  throw new AgencyError('E_WORKTREE_BUSY', `other commands are at work in ${worktree.name}; try again`)
}

async function keepAll(repository: Repository, sandboxes: readonly CapturedSandbox[]): Promise<RefChange[]> {
  const refs: RefChange[] = []
  for (const sandbox of sandboxes) {
    refs.push(...(await keepSandbox(repository, sandbox)))
  }
  return refs
}

function appendRemoval(
  { effects, paths }: Repository,
  { worktree, sandboxes }: CapturedWorktree,
  { refs, again }: { refs: RefChange[]; again: Again | undefined },
): Operation {
  effects.onStep('append the operation')
  const count = sandboxes.length
  const also = count === 0 ? '' : `, ${count === 1 ? '1 sandbox' : `${count} sandboxes`} discarded`
  return appendOperation(
    paths,
    {
      kind: 'worktree_rm',
      description: `removed the worktree ${worktree.name}${also}`,
      target: null,
      worktree_id: worktree.worktree_id,
      invocation_ids: sandboxes.map(({ record }) => record.invocation_id),
      refs,
      ...again,
    },
    { now: effects.clock.now(), random: effects.random() },
  )
}

async function discardRecords(
  { effects, paths }: Repository,
  sandboxes: readonly CapturedSandbox[],
): Promise<InvocationRecord[]> {
  const discarded: InvocationRecord[] = []
  for (const { record } of sandboxes) {
    effects.onStep('close the invocation')
    const id = record.invocation_id
    discarded.push(await updateInvocation(paths, id, { landing_status: 'discarded' }))
    appendEvent(paths, id, { kind: 'discarded', message: 'discarded with its worktree' })
  }
  return discarded
}
