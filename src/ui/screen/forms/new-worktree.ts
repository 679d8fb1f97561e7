// The form that makes a worktree: its name, and the branch that it starts from.

import { openTextField, type TextField } from '../edit/text-field.ts'
import type { Phase } from './new-agent.ts'
import { completionOf, nameProblem, suggestName } from './suggest-name.ts'

export interface NewWorktreeFacts {
  /** Names of worktrees that are present. */
  readonly taken: readonly string[]
  /** Local branches; null while they are being looked for, and then any name is accepted. */
  readonly branches: readonly string[] | null
  /** The branch that is checked out; null where HEAD is detached. */
  readonly branch: string | null
}

export type WorktreeField = 'name' | 'parent'

export interface NewWorktree {
  readonly facts: NewWorktreeFacts
  readonly focus: WorktreeField
  readonly name: TextField
  readonly parent: TextField
  readonly attempted: boolean
  readonly phase: Phase
}

export interface WorktreeOrder {
  readonly name: string
  readonly parent: string
}

export const openNewWorktree = (facts: NewWorktreeFacts): NewWorktree => ({
  facts,
  focus: 'name',
  name: openTextField(suggestName(facts.branch, facts.taken)),
  parent: openTextField(facts.branch ?? ''),
  attempted: false,
  phase: { kind: 'editing' },
})

export const receiveBranches = (state: NewWorktree, branches: readonly string[]): NewWorktree => ({
  ...state,
  facts: { ...state.facts, branches },
})

/** What is wrong with a field; null if nothing is. */
export function worktreeProblem(state: NewWorktree, field: WorktreeField): string | null {
  const { text } = state[field]
  if (text === '' && !state.attempted) return null
  if (field === 'name') return nameProblem(text, state.facts.taken)
  if (text === '') return 'it needs a branch to start from'
  const known = state.facts.branches
  if (known === null || known.includes(text)) return null
  const begun = !state.attempted && completionOf(text, known) !== ''
  return begun ? null : 'there is no local branch of that name'
}
