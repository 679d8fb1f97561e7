// The one door to a sandbox's files. A sandbox is a linked git worktree, or a checkout with a repository of its own; others
// will be overlays that only their host's namespace can see. So nobody outside of this room may assume that a sandbox's
// path can be read from here.

import type { Importer } from '../doors/git/importer.ts'
import type { Begun, RunStep } from '../doors/steps.ts'
import type { FileChange } from '../model/change.ts'
import type { InvocationId, ObjectId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { KeptState } from '../model/kept-state.ts'
import type { SandboxPath } from '../model/sandbox-path.ts'
import type { Repository } from '../store/repository.ts'
import type { RestoreJournal } from '../store/restore-journal.ts'
import type { PathChanges } from './worktree/capture/capture-by-paths.ts'
import type { LeaveOut } from './worktree/capture/leave-out.ts'
import type { RestorePlan, StatesOf } from './worktree/restore/plan-restore.ts'

/** A sandbox's whole state at one moment, as git objects. Taking it touches no index, ref or file of the agent's. */
export interface Capture {
  readonly head: ObjectId
  readonly head_tree: ObjectId
  /** The branch that HEAD is on (refs/heads/…); null where it is detached. */
  readonly head_ref: string | null
  /** HEAD has no commit (`checkout --orphan`), so that `head` is the commit the sandbox began at. */
  readonly unborn: boolean
  /** What is staged; null where the index has unmerged paths or equals HEAD. */
  readonly index_tree: ObjectId | null
  /** Tracked and untracked files as they lie in the work tree; ignored ones and `.agency/` left out. */
  readonly state_tree: ObjectId
  /** The state differs from HEAD. */
  readonly dirty: boolean
  /** Paths that git cannot hold whole: nested repositories, unreadable files; sockets too where the tree has other work. */
  readonly incomplete: readonly string[]
  /** There are ignored files (build output, node_modules): not in the state. */
  readonly has_ignored: boolean
  /** Paths that were asked to be left out (see leave-out.ts), as shown; in neither tree. */
  readonly excluded: readonly string[]
  /** Milliseconds since the epoch, by the file system's clock: what changed later is not in the state. */
  readonly begun_at: number
}

export interface ChangeRange {
  readonly from: ObjectId
  /** The captured state, or a commit. */
  readonly to: ObjectId
  readonly ignore_whitespace: boolean
}

export interface KeptBeside {
  /** Another parent. */
  readonly also: ObjectId | null
  /** Where the sandbox's branch is, where the caller has just read it. */
  readonly branch_tip?: ObjectId | null
}

/** `out of reach`: it lies where this process cannot see it, which is no sign that anything of it is gone. */
export type Presence = 'there' | 'gone' | 'out of reach'

export interface Changeset {
  /** Where it is, for words and to tell which processes work in it: nobody reads or writes by it. */
  readonly place: string
  presence(): Presence
  /** Whether it carries the mark that lets runners in. */
  isMarked(): boolean
  /** False where something else lies in the mark's place. */
  mark(): boolean
  /** What HEAD says, without starting a git: a branch, as `ref: refs/heads/…`, or a commit. null where that is nowhere. */
  head(): string | null
  /** Whole, unless something is to be left out. Throws E_INVOCATION_BROKEN where the files are not there. */
  capture(leaveOut?: LeaveOut): Promise<Capture>
  /** For captures one after another, each told what changed since the one before. */
  follow(): Follower
  /** Where the tree is clean: makes the next capture of it a matter of asking whether it still is. Changes nothing. */
  keepLook(): Promise<void>
  /** Every path that differs, renames found. */
  changes(range: ChangeRange, capture: Capture): Promise<FileChange[]>
  /**
   * One commit under `ref` that holds the captured state: its tree is the state; its parents are HEAD, then the index as
   * a commit where that differs, then the tip of the sandbox's branch where HEAD does not contain it, then `also`. The
   * message holds what `remake` needs as JSON (model/kept-state.ts). Throws E_PATH_NOT_OURS where it is not ours to
   * remove afterwards.
   */
  keep(ref: string, capture: Capture, beside?: KeptBeside): Promise<ObjectId>
  /** Other work trees that are on this branch (refs/heads/…). */
  otherCheckouts(ref: string): Promise<string[]>
  /**
   * The tree leaves its place at once (rename) and git forgets it; the files are deleted in the background, or
   * stay under `trash/`: all of them where `wholeAt` is null (git could not hold them), and where one has changed after
   * that moment, which is when git held them. Throws E_PATH_NOT_OURS unless the path is in
   * our data directory and carries the sandbox marker or `recorded` proof.
   */
  remove(wholeAt: number | null): Promise<void>
  /**
   * Makes the sandbox again from the commit that keeps its state: files, modes, links, what was staged, branch and HEAD.
   * The caller holds the lock and writes the record. Throws E_UNDO_EXPIRED; whatever fails leaves nothing behind.
   */
  remake(commit: ObjectId): Promise<Remade>
  /** Takes away what a killed `remake` has left; true where there was such a thing. The caller holds the lock. */
  dropHalfMade(): boolean
  /** Where it is now, after a kill came between `remake` and its record. */
  relocate(): SandboxPath
  /** Throws E_INTEGRATION_BUSY where a git that still runs holds its index; `since`: older locks were left by dead ones. */
  refuseBusy(since: number): void
  /** What bringing it from one kept state to another must spare. Touches nothing. */
  planRestore(states: StatesOf): Promise<RestorePlan>
  /**
   * Brings it to the state that the journal names, byte for byte; may be done again after a kill. Sentences to pass on.
   * Throws E_PATH_NOT_OURS, E_UNDO_EXPIRED and, where its branch has moved, E_UNDO_MOVED.
   */
  restore(journal: RestoreJournal): Promise<string[]>
}

export interface Follower {
  /** The state that the next step builds on; null where only a look at the whole can tell. */
  standsOn(): StandingState | null
  /** `take` looks at the whole; what it saw is what the next step builds on. */
  look<T extends { readonly capture: Capture }>(take: () => Promise<T>): Promise<T & Difference>
  /** What has changed, by the paths that are said to have; null where only a look at the whole can tell. */
  step(request: StepRequest): Promise<CaptureStep | null>
}

export interface StandingState {
  readonly head: ObjectId
  readonly state_tree: ObjectId
  /** See Capture. */
  readonly incomplete: readonly string[]
}

export interface Difference {
  /** Paths that differ from the last look or step, as shown; null where HEAD, the index or the rules changed as well. */
  readonly differing: () => Promise<readonly string[] | null>
}

export interface StepRequest {
  /** From the tree's root. */
  readonly paths: ReadonlySet<string>
  readonly leaveOut: LeaveOut
  /** Is asked what the state before has. */
  readonly importer: Importer
}

export interface CaptureStep {
  readonly before: StandingState
  readonly changes: PathChanges
  /** The state has become this tree, on which the next step builds. Without it the next one is a look at the whole. */
  settle(state_tree: ObjectId): void
}

/** Where a sandbox was made: for its record, and for nobody else. */
export interface SandboxLocation {
  readonly sandbox_path: SandboxPath
  /** Its own directory in the repository's `.git/worktrees`, or its own repository. */
  readonly git_dir: SandboxPath
}

export interface Remade extends Pick<SandboxLocation, 'git_dir'> {
  /** Sentences to pass on. */
  readonly notes: readonly string[]
}

export interface NewChangeset {
  readonly id: InvocationId
  readonly branch: string
  /** The commit that the branch begins at. */
  readonly start: ObjectId
  /** The kept state that its files begin with, instead of that commit's. */
  readonly state: { readonly commit: ObjectId; readonly kept: KeptState } | null
  /** The git directory of a tree whose index is likely to be of just that commit. */
  readonly likely: string | null
}

export interface MadeChangeset extends SandboxLocation {
  /** The files are being written, also when the lock is free again. */
  readonly filling: Begun<void>
}

export interface ChangesetKind {
  open(repository: Repository, record: InvocationRecord): Changeset
  /**
   * The caller holds the lock. Registered, marked and locked against the person's own trees when it resolves; each step
   * has its way back. Throws E_SANDBOX_UNSAFE_PATH before anything is made.
   */
  make(repository: Repository, wanted: NewChangeset, step: RunStep): Promise<MadeChangeset>
}
