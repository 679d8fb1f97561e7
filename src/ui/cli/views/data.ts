// How records stand in --json: an invocation or a worktree is always its record, with what follows from it beside the
// record's own fields, whichever command shows it.

import type { InvocationView, InvocationViews, WorktreeView } from '../../../core/facade/agency.ts'

export const invocationData = ({ record, ...derived }: InvocationView): object => ({ ...record, ...derived })

export const invocationsData = ({ invocations, broken }: InvocationViews): object => ({
  invocations: invocations.map(invocationData),
  broken,
})

export const worktreeData = ({ record, ...derived }: WorktreeView): object => ({ ...record, ...derived })
