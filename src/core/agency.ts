// The facade: one method per verb. It is the only thing that the command line and the dashboard call; neither ever
// writes a record, runs git or talks to a host by itself.

import type { DiffRequest, SandboxDiff } from './model/change.ts'
import type { Config } from './model/config.ts'
import type { AgencyEvent } from './model/event.ts'
import type { ObjectId } from './model/ids.ts'
import type { BrokenInvocation, InvocationRecord, RunMode } from './model/invocation.ts'
import type { Operation } from './model/operation.ts'
import type { RepoRecord } from './model/repo.ts'
import type { AttachEvents, Attachment, Availability } from './model/runner.ts'
import type { DisplayState } from './model/status.ts'
import type { WorktreeRecord } from './model/worktree.ts'

/** An invocation as lists show it: the reconciled record and what follows from it. */
export interface InvocationView {
  readonly record: InvocationRecord
  readonly worktree_name: string
  readonly display: DisplayState
  /** RFC 3339; the log's own time where the record is older. */
  readonly last_output_at: string | null
}

export interface WorktreeView {
  readonly record: WorktreeRecord
  readonly active: number
  readonly ready: number
  readonly needs_input: number
}

export interface InvocationViews {
  readonly invocations: readonly InvocationView[]
  readonly broken: readonly BrokenInvocation[]
}

export interface StartRequest {
  /** Name, id or prefix. */
  readonly worktree: string
  /** Defaults to the runner of `resume`, then to the configured one. */
  readonly runner?: string
  readonly mode: RunMode
  readonly prompt: string | null
  readonly prompt_source: InvocationRecord['prompt_source']
  readonly name?: string
  readonly model?: string
  readonly extra_args?: readonly string[]
  readonly include_untracked?: boolean
  /** Name of the environment; only `local` exists yet. */
  readonly environment?: string
  /** Make the sandbox and its record, run nothing. */
  readonly no_start?: boolean
  /** Terminal size of a headed run. */
  readonly columns?: number
  readonly rows?: number
  /** Follow up on the session of this invocation (its runner's own resume), in a new sandbox. */
  readonly resume?: string
}

export interface LandOptions {
  readonly apply?: boolean
  readonly commits_only?: boolean
  readonly require_base?: boolean
}

export interface Landing {
  readonly invocation: InvocationRecord
  readonly worktree: WorktreeRecord
  readonly from: ObjectId
  readonly to: ObjectId
  /** Commits that are now on the branch, oldest first. */
  readonly landed: readonly ObjectId[]
  /** Commits of the sandbox that changed nothing there: empty, or already landed. */
  readonly skipped: readonly ObjectId[]
  /** How it was made: every commit by itself, or one squash where history has merges. */
  readonly manner: 'fast_forward' | 'commits' | 'squash'
  /** Sentences to pass on: ignored files not kept, uncommitted work left in the trash. */
  readonly notes: readonly string[]
}

export interface Discarded {
  readonly invocation: InvocationRecord
  /** The ref that holds the whole state until gc. */
  readonly kept_ref: string
  readonly notes: readonly string[]
}

export interface RemovedWorktree {
  readonly worktree: WorktreeRecord
  readonly discarded: readonly InvocationRecord[]
  readonly notes: readonly string[]
}

export interface Undone {
  /** What was undone or done again. */
  readonly operation: Operation
  readonly notes: readonly string[]
}

export interface OperationLine {
  readonly operation: Operation
  readonly state: 'done' | 'undone' | 'superseded'
}

/** One finding of doctor. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'problem'
  /** What was looked at: `git`, `data directory`, `runner claude`, `invocation 2026…-b7c9`. */
  readonly subject: string
  readonly message: string
  /** What --fix would do, or what to type; null where nothing is to be done. */
  readonly remedy: string | null
  readonly fixable: boolean
}

export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** What --fix did, sentence by sentence; empty without it. */
  readonly fixed: readonly string[]
}

export interface Collected {
  readonly dropped_refs: readonly string[]
  readonly deleted_paths: readonly string[]
}

export interface RunnerView {
  readonly name: string
  readonly title: string
  readonly modes: readonly RunMode[]
  readonly availability: Availability
}

export interface StopReport {
  readonly invocation: InvocationRecord
  /** False where processes outlived the request. */
  readonly ended: boolean
}

export interface LogPaths {
  readonly raw: string
  readonly stderr: string
  readonly stream: string
  readonly cast: string
}

/** Told as work goes on, for anything that may take more than a second. */
export type Progress = (message: string) => void

/** Everything throws AgencyError. `typed` is a name, id, unique prefix or last four, as a person typed it. */
export interface Agency {
  readonly repository: RepoRecord
  /** The person's configuration, with what the repository may set. */
  readonly config: Config

  createWorktree(request: { name: string; parent?: string }): Promise<WorktreeRecord>
  listWorktrees(options?: { all?: boolean }): Promise<readonly WorktreeView[]>
  showWorktree(typed: string): Promise<WorktreeView>
  removeWorktree(typed: string, options?: { force?: boolean; progress?: Progress }): Promise<RemovedWorktree>

  startInvocation(request: StartRequest, progress?: Progress): Promise<InvocationRecord>
  /** Default: neither broken ones nor those of archived worktrees; landed and discarded ones only with `all`. */
  listInvocations(options?: { worktree?: string; all?: boolean }): Promise<InvocationViews>
  showInvocation(typed: string): Promise<InvocationView>
  invocationEvents(typed: string): Promise<readonly AgencyEvent[]>
  logPaths(typed: string): Promise<LogPaths>
  stopInvocation(typed: string): Promise<StopReport>
  killInvocation(typed: string): Promise<StopReport>
  /** Resolves when it has ended. */
  waitInvocation(typed: string, options?: { timeout_ms?: number }): Promise<InvocationView>
  /** Text that ends with Enter (`\r`) is pasted and sent; all else is typed as it is. */
  sendText(typed: string, bytes: Uint8Array): Promise<void>
  /** Throws E_INVOCATION_NOT_HEADED, E_INVOCATION_NOT_RUNNING. */
  attach(typed: string, size: { columns: number; rows: number }, events: AttachEvents): Promise<Attachment>

  /** Throws E_COMMIT_NOT_FOUND where `part` is none of the sandbox's own commits. */
  diffInvocation(typed: string, request?: DiffRequest): Promise<SandboxDiff>
  landInvocation(typed: string, options?: LandOptions): Promise<Landing>
  discardInvocation(typed: string, progress?: Progress): Promise<Discarded>

  undo(): Promise<Undone>
  redo(): Promise<Undone>
  operations(): Promise<readonly OperationLine[]>

  diagnose(options?: { fix?: boolean; trust_config?: boolean }): Promise<Diagnosis>
  collectGarbage(options?: { dry_run?: boolean }): Promise<Collected>
  runners(): Promise<readonly RunnerView[]>
}
