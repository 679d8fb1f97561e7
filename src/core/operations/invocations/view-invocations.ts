// Lists as people see them: reconciled records, and what is derived from them.

import { pathForPerson } from '../../changesets/presence.ts'
import { readReportedStatus } from '../../changesets/status-file.ts'
import type { InvocationView, InvocationViews, WorktreeView } from '../../facade/agency.ts'
import { type InvocationRecord, isActive, isClosed } from '../../model/invocation.ts'
import { deriveDisplayState, waitsForPerson } from '../../model/status.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { findWorktree, listWorktrees } from '../../store/worktrees.ts'
import { lastOutputAt, reconcileAll } from './reconcile.ts'

export interface ViewOptions {
  readonly worktree?: string | undefined
  readonly all?: boolean | undefined
  readonly stalled_after: number
}

export async function viewInvocations(
  repository: Repository,
  options: ViewOptions,
): Promise<InvocationViews> {
  const { invocations, broken } = await reconcileAll(repository, { open_only: options.all !== true })
  const only =
    options.worktree === undefined ? null : findWorktree(repository.paths, options.worktree).worktree_id
  const worktrees = new Map(
    listWorktrees(repository.paths).map((worktree) => [worktree.worktree_id, worktree]),
  )
  const shown = invocations.filter((record) => {
    if (only !== null && record.integration_worktree_id !== only) return false
    if (options.all === true) return true
    return !isClosed(record) && worktrees.get(record.integration_worktree_id)?.state !== 'archived'
  })
  return {
    invocations: shown.map((record) =>
      viewInvocation(repository, record, {
        worktree: worktrees.get(record.integration_worktree_id) ?? null,
        stalled_after: options.stalled_after,
      }),
    ),
    broken: options.all === true ? broken : [],
  }
}

export function viewInvocation(
  repository: Repository,
  record: InvocationRecord,
  about: { readonly worktree: WorktreeRecord | null; readonly stalled_after: number },
): InvocationView {
  const active = isActive(record)
  const output = active ? lastOutputAt(repository, record) : null
  const display = deriveDisplayState(record, {
    now: repository.effects.clock.now(),
    last_output_at: output,
    reported: active ? readReportedStatus(repository.paths, record.invocation_id) : null,
    stalled_after: about.stalled_after,
  })
  return {
    record,
    worktree_name: about.worktree?.name ?? record.integration_worktree_id,
    display,
    last_output_at: output === null ? record.last_output_at : new Date(output).toISOString(),
    path: pathForPerson(record),
  }
}

export async function viewWorktrees(repository: Repository, options: ViewOptions): Promise<WorktreeView[]> {
  const { invocations } = await viewInvocations(repository, { ...options, all: true })
  return listWorktrees(repository.paths)
    .filter((record) => options.all === true || record.state === 'present')
    .map((record) => viewWorktree(record, invocations))
}

export function viewWorktree(record: WorktreeRecord, invocations: readonly InvocationView[]): WorktreeView {
  const own = invocations.filter((view) => view.record.integration_worktree_id === record.worktree_id)
  const count = (test: (view: InvocationView) => boolean): number => own.filter(test).length
  return {
    record,
    active: count((view) => isActive(view.record)),
    ready: count((view) => view.display === 'ready'),
    needs_input: count((view) => waitsForPerson(view.display)),
  }
}
