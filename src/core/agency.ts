// The facade: one method per verb. It is the only thing that the command line and the dashboard call; neither ever
// writes a record, runs git or talks to a host by itself.

import type { SandboxDiff } from './model/change.ts'
import type { Config } from './model/config.ts'
import type { AgencyEvent } from './model/event.ts'
import type { InvocationId, ObjectId, WorktreeId } from './model/ids.ts'
import type { BrokenInvocation, InvocationRecord, RunMode } from './model/invocation.ts'
import type { LandingForecast } from './model/landing.ts'
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

export interface SurveyOptions {
  /** These alone, instead of all; one that does not exist is left out. */
  readonly only?: readonly InvocationId[]
  /** Without landed and discarded ones, which are most in the end. */
  readonly open_only?: boolean
  /** Not looked at. */
  readonly skip?: ReadonlySet<InvocationId>
}

export interface Survey {
  /** Oldest first. */
  readonly invocations: readonly InvocationView[]
  readonly broken: readonly BrokenInvocation[]
  /** Those that `open_only` left out. */
  readonly closed: readonly InvocationId[]
}

/** Which records changed since the last time. */
export interface RecordChange {
  /** It is not known which: all of them may have. */
  readonly everything: boolean
  readonly worktrees: readonly WorktreeId[]
  readonly invocations: readonly InvocationId[]
  /** The operation log. */
  readonly operations: boolean
}

export interface RecordListener {
  changed(change: RecordChange): void
  /** Told once: changes cannot be watched here, so from now on everything may have changed every few seconds. */
  slowed(error: unknown): void
}

export interface Following {
  readonly worktrees: readonly WorktreeId[]
  /** Invocations that may change: those that are not landed or discarded. */
  readonly open: readonly InvocationId[]
  /** Those that run: what they report of themselves is watched too. */
  readonly active: readonly InvocationId[]
}

export interface RecordWatch {
  /**
   * Whose changes are to be told, from now on. New records are told in any case, and what `operations` names may have
   * changed too.
   */
  follow(following: Following): void
  close(): Promise<void>
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

  /** `draft`: what git writes for it is thrown away, so that `state_tree` cannot be read afterwards. */
  diffInvocation(typed: string, options?: { patch?: boolean; draft?: boolean }): Promise<SandboxDiff>
  /** What landing all of its work now would come to; nothing is written. */
  forecastLanding(typed: string): Promise<LandingForecast>
  landInvocation(typed: string, options?: LandOptions): Promise<Landing>
  discardInvocation(typed: string, progress?: Progress): Promise<Discarded>

  undo(): Promise<Undone>
  redo(): Promise<Undone>
  operations(): Promise<readonly OperationLine[]>

  /** For someone who watches all day: reconciled records, read in slices of some milliseconds. */
  surveyInvocations(options?: SurveyOptions): Promise<Survey>
  /** All of them, archived ones too, oldest first. */
  surveyWorktrees(): Promise<readonly WorktreeRecord[]>
  watchRecords(listener: RecordListener): Promise<RecordWatch>

  diagnose(options?: { fix?: boolean; trust_config?: boolean }): Promise<Diagnosis>
  collectGarbage(options?: { dry_run?: boolean }): Promise<Collected>
  runners(): Promise<readonly RunnerView[]>
}
