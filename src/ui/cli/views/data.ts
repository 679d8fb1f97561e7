// The form of records in --json: an invocation or a worktree is always its record, and derived facts stand beside the
// record's own fields, whichever command shows it.

import type { InvocationView, InvocationViews, WorktreeView } from '../../../core/facade/agency.ts'

export const invocationData = ({ record, ...derived }: InvocationView): object => ({ ...record, ...derived })

export const invocationsData = ({ invocations, broken }: InvocationViews): object => ({
  invocations: invocations.map(invocationData),
  broken,
})

export const worktreeData = ({ record, ...derived }: WorktreeView): object => ({ ...record, ...derived })
