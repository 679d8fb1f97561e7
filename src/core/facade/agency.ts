// The facade: one method per verb. The command line and the dashboard call nothing else; neither writes a record, runs
// git or talks to a host by itself.

import type { DiffRequest, SandboxDiff } from '../model/change.ts'
import type { Checkpoint } from '../model/checkpoint.ts'
import type { Config } from '../model/config.ts'
import type { EnvironmentChanges } from '../model/environment.ts'
import type { EnvironmentCheck, EnvironmentView } from '../model/environment-catalog.ts'
import type { AgencyEvent } from '../model/event.ts'
import type { ObjectId, WorktreeId } from '../model/ids.ts'
import type { BrokenInvocation, InvocationRecord, RunMode } from '../model/invocation.ts'
import type { LandingForecast, WorkOptions } from '../model/landing.ts'
import type { Operation, OperationPage } from '../model/operation.ts'
import type { RecordListener, RecordWatch } from '../model/record-watch.ts'
import type { RepoRecord } from '../model/repo.ts'
import type { AttachEvents, Attachment, Availability, PermissionChoice } from '../model/runner.ts'
import type { DisplayState } from '../model/status.ts'
import type { WorktreeRecord } from '../model/worktree.ts'
import type { Collected, Diagnosis } from './diagnosing.ts'
import type { Survey, SurveyOptions } from './watching.ts'

/** An invocation as lists show it: the reconciled record and what follows from it. */
export interface InvocationView {
  readonly record: InvocationRecord
  readonly worktree_name: string
  readonly display: DisplayState
  /** RFC 3339. If the record is older than the log, the time of the log file. */
  readonly last_output_at: string | null
  /** Where a person's editor finds its files; null where no path leads to them. */
  readonly path: string | null
}

export interface WorktreeView {
  readonly record: WorktreeRecord
  readonly active: number
  readonly ready: number
  /** How many of the active ones wait for a person. */
  readonly needs_input: number
}

export interface InvocationViews {
  readonly invocations: readonly InvocationView[]
  readonly broken: readonly BrokenInvocation[]
}

export interface StartRequest {
  /** Name, id or prefix. Defaults to the worktree of `from`. */
  readonly worktree?: string
  /** Defaults to the runner of `resume`, then to the configured one. */
  readonly runner?: string
  readonly mode: RunMode
  readonly prompt: string | null
  readonly prompt_source: InvocationRecord['prompt_source']
  readonly name?: string
  readonly model?: string
  readonly extra_args?: readonly string[]
  readonly include_untracked?: boolean
  /** Name of the environment. Default: that of the configuration, else `local`. */
  readonly environment?: string
  /** What is to be different from that environment, for this run alone. */
  readonly environment_changes?: EnvironmentChanges
  /** Makes the sandbox and its record, and runs nothing. */
  readonly no_start?: boolean
  /** Terminal size of a headed run. */
  readonly columns?: number
  readonly rows?: number
  /** Follow up on the session of this invocation (its runner's own resume), in a new sandbox. */
  readonly resume?: string
  /** Begins with the files, index and commits that another invocation has now, or had at one of its checkpoints. */
  readonly from?: ForkSource
}

export interface ForkSource {
  /** Name, id or prefix; landed and discarded ones too. */
  readonly invocation: string
  /** Number of the checkpoint. Default: the newest state that is kept. */
  readonly checkpoint?: number
}

export interface LandOptions extends WorkOptions {
  readonly require_base?: boolean
}

export interface Landing {
  readonly invocation: InvocationRecord
  readonly worktree: WorktreeRecord
  readonly from: ObjectId
  readonly to: ObjectId
  /** Commits that are now on the branch, oldest first. */
  readonly landed: readonly ObjectId[]
  /** Commits of the sandbox that would have changed nothing on the branch: empty, or landed already. */
  readonly skipped: readonly ObjectId[]
  /** How it landed: its commits unchanged, each commit replayed, or one squash because its history has merges. */
  readonly manner: 'fast_forward' | 'commits' | 'squash'
  /** Sentences for the person: ignored files that are not kept, uncommitted work left in the trash. */
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

export interface Branches {
  /** Branches by name, without those of sandboxes. */
  readonly local: readonly string[]
  /** The branch that is checked out; null where HEAD is detached. */
  readonly current: string | null
}

export interface CheckpointView {
  readonly invocation: InvocationRecord
  readonly checkpoint: Checkpoint
}

export interface CheckpointViews {
  readonly invocation: InvocationRecord
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[]
}

/** What a checkpoint is compared with: the one before it in the list, where the sandbox began, or the sandbox now. */
export type CheckpointAgainst = 'before' | 'base' | 'now'

export interface RestoredCheckpoint {
  readonly invocation: InvocationRecord
  readonly checkpoint: Checkpoint
  /** A checkpoint of what was in the sandbox before. */
  readonly safety: Checkpoint
  readonly notes: readonly string[]
}

export interface ExportTarget {
  /** Absolute. */
  readonly path: string
  readonly progress?: Progress
}

export interface Exported {
  readonly path: string
  readonly files: number
  readonly notes: readonly string[]
}

export interface Undone {
  /** The operation that was undone or redone. */
  readonly operation: Operation
  readonly notes: readonly string[]
}

export interface OperationLine {
  readonly operation: Operation
  readonly state: 'done' | 'undone' | 'superseded'
}

export interface RunnerView {
  readonly name: string
  readonly title: string
  readonly modes: readonly RunMode[]
  /** Aliases of models. Others can be asked for by the runner's own names. */
  readonly models: readonly string[]
  readonly takes_model: boolean
  readonly permissions: readonly PermissionChoice[]
  readonly availability: Availability
}

export interface StopReport {
  readonly invocation: InvocationRecord
  /** False if processes have outlived the request. */
  readonly ended: boolean
}

export interface LogPaths {
  readonly raw: string
  readonly stderr: string
  readonly stream: string
  readonly cast: string
}

/** Called as work goes on, by anything that may take more than a second. */
export type Progress = (message: string) => void

/**
 * Every method throws AgencyError. `typed` is what a person typed: a name, id, unique prefix or last four characters.
 */
export interface Agency {
  readonly repository: RepoRecord
  /** The person's configuration, with what the repository may set. */
  readonly config: Config

  createWorktree(request: { name: string; parent?: string }): Promise<WorktreeRecord>
  listWorktrees(options?: { all?: boolean }): Promise<readonly WorktreeView[]>
  showWorktree(typed: string): Promise<WorktreeView>
  removeWorktree(typed: string, options?: { force?: boolean; progress?: Progress }): Promise<RemovedWorktree>

  startInvocation(request: StartRequest, progress?: Progress): Promise<InvocationRecord>
  /**
   * Default: without broken ones, those of archived worktrees, and landed or discarded ones. `all` adds the latter two.
   */
  listInvocations(options?: { worktree?: string; all?: boolean }): Promise<InvocationViews>
  showInvocation(typed: string): Promise<InvocationView>
  invocationEvents(typed: string): Promise<readonly AgencyEvent[]>
  logPaths(typed: string): Promise<LogPaths>
  /** Gives it another label in lists. An empty one takes the label away. */
  renameInvocation(typed: string, name: string): Promise<InvocationRecord>
  stopInvocation(typed: string): Promise<StopReport>
  killInvocation(typed: string): Promise<StopReport>
  /** Resolves when the invocation has ended. */
  waitInvocation(typed: string, options?: { timeout_ms?: number }): Promise<InvocationView>
  /** If the text ends with Enter (`\r`), it is pasted and sent; otherwise it is typed as it is. */
  sendText(typed: string, bytes: Uint8Array): Promise<void>
  /** Throws E_INVOCATION_NOT_HEADED, E_INVOCATION_NOT_RUNNING. */
  attach(typed: string, size: { columns: number; rows: number }, events: AttachEvents): Promise<Attachment>

  /** Throws E_COMMIT_NOT_FOUND if `part` is none of the sandbox's own commits. */
  diffInvocation(typed: string, request?: DiffRequest): Promise<SandboxDiff>
  /** What would happen if all of its work landed now. Writes nothing. */
  forecastLanding(typed: string): Promise<LandingForecast>
  landInvocation(typed: string, options?: LandOptions): Promise<Landing>
  discardInvocation(typed: string, progress?: Progress): Promise<Discarded>

  listCheckpoints(typed: string): Promise<CheckpointViews>
  showCheckpoint(typed: string, checkpoint: number): Promise<CheckpointView>
  /** If nothing has changed since the last checkpoint, returns that one, and `taken` is false. */
  createCheckpoint(typed: string, options?: { name?: string }): Promise<CheckpointView & { taken: boolean }>
  /** null takes its name away. */
  nameCheckpoint(typed: string, checkpoint: number, name: string | null): Promise<CheckpointView>
  /** Throws E_INVOCATION_RUNNING, E_INVOCATION_CLOSED. Undo takes it back. */
  restoreCheckpoint(typed: string, checkpoint: number): Promise<RestoredCheckpoint>
  diffCheckpoint(typed: string, checkpoint: number, against: CheckpointAgainst): Promise<SandboxDiff>
  /** Into a directory that is new or empty. Throws E_EXPORT_TARGET. */
  exportCheckpoint(typed: string, checkpoint: number, to: ExportTarget): Promise<Exported>

  undo(): Promise<Undone>
  redo(): Promise<Undone>
  operations(): Promise<readonly OperationLine[]>

  /** For somebody who watches all day: reconciled records, read in slices of a few milliseconds. */
  surveyInvocations(options?: SurveyOptions): Promise<Survey>
  /** All worktrees, archived ones too, oldest first. */
  surveyWorktrees(): Promise<readonly WorktreeRecord[]>
  /**
   * If two stamps are equal, nobody has moved the worktree's branch or put its tree onto another one. Starts no git.
   */
  stampBranches(worktrees: readonly WorktreeRecord[]): Promise<ReadonlyMap<WorktreeId, string>>
  /** The operations that were logged after a place in the log. */
  operationsFrom(place: number): Promise<OperationPage>
  watchRecords(listener: RecordListener): Promise<RecordWatch>

  diagnose(options?: { fix?: boolean; trust_config?: boolean }): Promise<Diagnosis>
  collectGarbage(options?: { dry_run?: boolean }): Promise<Collected>
  runners(): Promise<readonly RunnerView[]>
  /** All that can be chosen, `local` first. */
  environments(): Promise<readonly EnvironmentView[]>
  /** Throws E_ENVIRONMENT_UNKNOWN. */
  /** Tries to break out of its box. Throws what a start would be refused with. */
  checkEnvironment(name: string, changes?: EnvironmentChanges): Promise<EnvironmentCheck>
  showEnvironment(name: string, changes?: EnvironmentChanges): Promise<EnvironmentView>
  listBranches(): Promise<Branches>
  /** What the dashboard has remembered for this repository; null if nothing. */
  uiMemory(): Promise<unknown>
  keepUiMemory(memory: unknown): Promise<void>
}

/** The part that starting an agent and staying with it needs. */
export type StartingAgency = Pick<
  Agency,
  | 'config'
  | 'createWorktree'
  | 'startInvocation'
  | 'showInvocation'
  | 'logPaths'
  | 'waitInvocation'
  | 'attach'
  | 'diffInvocation'
>
