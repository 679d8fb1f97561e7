// Suggests a name for a new worktree, and says what is wrong with the one that is typed.

import { brokenNameRule } from '../../../core/model/worktree.ts'

/** Branches whose names say nothing about the work. */
const PLAIN = /^(main|master|trunk|develop|dev|head)$/

/** Like the branch that is checked out, if its name says something; otherwise `work-1`. Never a name that is taken. */
export function suggestName(branch: string | null, taken: readonly string[]): string {
  const name = (branch ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 36)
    .replace(/^-+|-+$/g, '')
  const base = PLAIN.test(name) || brokenNameRule(name) !== null ? 'work' : name
  if (base !== 'work' && !taken.includes(base)) return base
  for (let number = base === 'work' ? 1 : 2; ; number += 1) {
    if (!taken.includes(`${base}-${number}`)) return `${base}-${number}`
  }
}

/** null if the name is good. */
export function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'it needs a name'
  return brokenNameRule(name) ?? (taken.includes(name) ? 'a worktree of that name exists' : null)
}

/** What would be added to complete the text; empty if no name fits. */
export function completionOf(typed: string, names: readonly string[]): string {
  if (typed === '') return ''
  const found = names.find((name) => name.startsWith(typed) && name !== typed)
  return found?.slice(typed.length) ?? ''
}
