// What a landing may come to, before anything is touched: a plan, or a refusal with its reason. Pure.

import type { ErrorCode } from './error-codes.ts'
import { AgencyError } from './errors.ts'
import type { ObjectId } from './ids.ts'

export type LandingManner = 'fast_forward' | 'commits' | 'squash'

/** The branch's next tip. Its objects are in the repository already, but no ref names it yet. */
export interface LandingPlan {
  readonly from: ObjectId
  readonly to: ObjectId
  readonly to_tree: ObjectId
  readonly manner: LandingManner
  /** Commits that will be new on the branch, oldest first. */
  readonly landed: readonly ObjectId[]
  /** Commits of the sandbox that would change nothing on the branch. */
  readonly skipped: readonly ObjectId[]
  /** How many of the sandbox's commits are also on a branch that is not ours. */
  readonly foreign: number
}

export interface Refusal {
  readonly refused: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export const isRefusal = (found: object): found is Refusal => 'refused' in found

export const refusalError = ({ refused, message, details }: Refusal): AgencyError =>
  new AgencyError(refused, message, { details })

export interface SandboxWork {
  readonly commits: boolean
  /** Uncommitted or untracked work. */
  readonly dirty: boolean
}

export interface WorkOptions {
  /** Whether uncommitted work lands too, as one commit. `when_alone`: only if there are no commits beside it. */
  readonly apply?: boolean | 'when_alone'
  readonly commits_only?: boolean
}

export const appliesUncommitted = ({ commits, dirty }: SandboxWork, { apply }: WorkOptions): boolean =>
  dirty && (apply === 'when_alone' ? !commits : apply === true)

/** Refuses if something that the agent made would be left out without the person having said so. */
export function refuseByWork({ commits, dirty }: SandboxWork, options: WorkOptions): Refusal | null {
  const refuse = (refused: ErrorCode, message: string): Refusal => ({ refused, message, details: {} })
  const applies = appliesUncommitted({ commits, dirty }, options)
  if (options.apply !== undefined && options.apply !== false && options.commits_only === true) {
    return refuse('E_USAGE', '--apply and --commits-only exclude each other')
  }
  if (!commits && !dirty) {
    return refuse('E_NOTHING_TO_LAND', 'the sandbox has no commits and no uncommitted changes')
  }
  if (!commits && !applies) {
    return refuse('E_NEEDS_APPLY', 'the sandbox has no commits; its uncommitted work lands with --apply')
  }
  if (commits && dirty && !applies && options.commits_only !== true) {
    return refuse('E_SANDBOX_DIRTY', 'the sandbox has commits and also uncommitted work')
  }
  return null
}

export function refuseConflict(files: readonly string[], commit: ObjectId | null): Refusal {
  const named = files.slice(0, 10).join(', ')
  const more = files.length > 10 ? ` and ${files.length - 10} more` : ''
  return {
    refused: 'E_LAND_CONFLICT',
    message: `${files.length === 1 ? 'one file conflicts' : `${files.length} files conflict`} with the worktree: ${named}${more}`,
    details: { files, commit },
  }
}

/** What a landing would come to now. `files` are those that conflict; untrusted text. */
export type LandingForecast =
  | { readonly kind: 'clean'; readonly manner: LandingManner; readonly commits: number }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
