// The one door to a sandbox's files. A sandbox is a linked git worktree, or a checkout with a repository of its own;
// later it may be an overlay that only its host's namespace can see. So nobody outside of this room may assume that a
// sandbox's path can be read from here.

import type { SubmoduleLink } from '../doors/git/find-submodule.ts'
import type { OddFile } from '../doors/git/git-reads.ts'
import type { Importer } from '../doors/git/importer.ts'
import type { Begun, RunStep } from '../doors/steps.ts'
import type { FileChange } from '../model/change.ts'
import type { InvocationId, ObjectId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { KeptState } from '../model/kept-state.ts'
import type { SandboxPath } from '../model/sandbox-path.ts'
import type { Modes } from '../model/verbatim.ts'
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
  /**
   * Paths that git cannot hold whole: nested repositories, unreadable files, files at which a filter fails, what lies in
   * our own directory; sockets too where the tree has other work.
   */
  readonly incomplete: readonly string[]
  /** Why, in words, for those of them of which git says it. */
  readonly reasons: Readonly<Record<string, string>>
  /** What of it the state's tree would not bring back; null if that brings back everything. */
  readonly verbatim: Verbatim | null
  /** There are ignored files (build output, node_modules): not in the state. */
  readonly has_ignored: boolean
  /** Paths that were asked to be left out (see leave-out.ts), as shown; in neither tree. */
  readonly excluded: readonly string[]
  /** Milliseconds since the epoch, by the file system's clock: what changed later is not in the state. */
  readonly begun_at: number
}

/** Bytes and modes that the state's tree would not bring back. */
export interface Verbatim {
  /** Holds them; see model/verbatim.ts. */
  readonly tree: ObjectId
  /** Raw paths of the files whose bytes it holds. */
  readonly paths: ReadonlySet<string>
  readonly modes: Modes
}

export interface ChangeRange {
  readonly from: ObjectId
  /** The captured state, or a commit. */
  readonly to: ObjectId
  readonly ignore_whitespace: boolean
}

export interface KeptBeside {
  /** Further parents of the commit, so that git keeps them too. */
  readonly also: readonly ObjectId[]
  /** Where the sandbox's branch is, if the caller has just read it; otherwise it is read. */
  readonly branch_tip?: ObjectId | null
}

/** `out of reach`: it lies where this process cannot see it, which is no sign that anything of it is gone. */
export type Presence = 'there' | 'gone' | 'out of reach'

/**
 * What a kill has left of a tree that is to be gone: an undo that had begun to bring it back, the tree itself, or nothing but
 * what git knows of it.
 */
export type LeftOver = 'half restored' | 'whole' | 'known to git'

export interface Changeset {
  presence(): Presence
  /** What is left of it where its record says that it is closed; null: nothing. */
  leftOver(): LeftOver | null
  /** Whether it carries the mark that lets runners in. */
  isMarked(): boolean
  /** What an agent has put in the place of files that git reads there. Takes as long as there are directories. */
  oddFiles(): readonly OddFile[]
  /** The path of what keeps the mark from being put there; null: nothing. */
  inTheWayOfMark(): string | null
  /** Puts the mark there. Returns false where something else lies in its way. */
  mark(): boolean
  /**
   * What the HEAD file says, read without starting git: `ref: refs/heads/…` or a commit. null where it names neither.
   */
  head(): string | null
  /** The whole state, without what `leaveOut` names. Throws E_INVOCATION_BROKEN where the files are not there. */
  capture(leaveOut?: LeaveOut): Promise<Capture>
  /**
   * The same before the files are let go: what git passes over is then looked for in a large tree that is clean, too.
   */
  captureToClose(): Promise<Capture>
  /** For captures one after another, each told what changed since the one before. */
  follow(): Follower
  /**
   * If the tree is clean, notes what git saw, so that the next capture only has to ask whether it is still so. Changes
   * nothing.
   */
  keepLook(): Promise<void>
  /** Every path that differs, renames found. */
  changes(range: ChangeRange, capture: Capture): Promise<FileChange[]>
  /**
   * One commit under `ref` that holds the captured state: its tree is the state; its parents are HEAD, then the index as
   * a commit where that differs, then the tip of the sandbox's branch where HEAD does not contain it, then `also`, then a
   * commit that keeps what only the tree's own git directory names. The message holds what `remake` needs as JSON (model/kept-state.ts). Throws E_PATH_NOT_OURS where it is not ours to
   * remove afterwards.
   */
  keep(ref: string, capture: Capture, beside?: KeptBeside): Promise<ObjectId>
  /** Other work trees that are on this branch (refs/heads/…). */
  otherCheckouts(ref: string): Promise<string[]>
  /**
   * Moves the tree away at once, and git forgets it. Its files are then deleted in the background. They stay under
   * `trash/` if git never held all of them (`wholeAt` is null), or if one has changed since `wholeAt`, when git did.
   * Throws E_PATH_NOT_OURS unless the path is in our data directory, and its marker or its record on disk proves it
   * ours.
   */
  remove(wholeAt: number | null): Promise<void>
  /** The git directory of a submodule's repository, for reading its objects and refs; null where it has none. */
  findSubmodule(link: SubmoduleLink): string | null
  /** Whether a kill in the middle of `remove` has left its files without a git directory, so that only `remove` works. */
  isPackedUp(): boolean
  /**
   * Makes the sandbox again from the commit that keeps its state: files, modes, links, what was staged, branch and HEAD.
   * The caller holds the lock and writes the record. Throws E_UNDO_EXPIRED; whatever fails leaves nothing behind.
   */
  remake(commit: ObjectId): Promise<Remade>
  /**
   * For a sandbox whose files are gone. What was committed becomes part of the person's repository, and whatever else is
   * left of the sandbox goes to the trash. The caller holds the lock.
   */
  salvage(): Promise<void>
  /**
   * Commits of what only its git directory names and `salvage` puts out of git's reach: what is staged, an autostash, refs of
   * its own. What `head` has is not among it.
   */
  keepOwnState(head: ObjectId): Promise<ObjectId[]>
  /** Takes away what a killed `remake` has left. Returns true if there was something. The caller holds the lock. */
  dropHalfMade(): boolean
  /** Where its git directory is now, if a kill came between `remake` and the writing of its record. */
  relocate(): SandboxPath
  /**
   * Throws E_INTEGRATION_BUSY where a running git holds its index. A lock older than `since` was left by a dead git.
   */
  refuseBusy(since: number): void
  /** What a restore from one kept state to another has to spare. Touches nothing. */
  planRestore(states: StatesOf): Promise<RestorePlan>
  /**
   * Brings the sandbox to the state that the journal names, byte for byte. May be repeated after a kill. Returns
   * sentences for the person. `again` says that it was begun before, so that some of it may be done. Throws
   * E_PATH_NOT_OURS, E_UNDO_EXPIRED, E_TREE_UNWRITABLE naming the file and, where its branch has moved, E_UNDO_MOVED.
   */
  restore(journal: RestoreJournal, again?: boolean): Promise<string[]>
  /** For a restore that is given up: what it had set aside comes back where its place is free. */
  abandonRestore(journal: RestoreJournal): void
}

export interface Follower {
  /** The state that the next step starts from; null where only a look at the whole tree can tell what changed. */
  standsOn(): StandingState | null
  /** Has `take` look at the whole tree. The next step starts from the state that it saw. */
  look<T extends { readonly capture: Capture }>(take: () => Promise<T>): Promise<T & Difference>
  /** Captures only the paths that are said to have changed. null where only a look at the whole tree can tell. */
  step(request: StepRequest): Promise<CaptureStep | null>
}

export interface StandingState {
  readonly head: ObjectId
  readonly state_tree: ObjectId
  readonly verbatim: Verbatim | null
  /** See Capture. */
  readonly incomplete: readonly string[]
}

export interface Difference {
  /**
   * Paths that differ from the last look or step, for showing; null where HEAD, the index or the rules changed as well.
   */
  readonly differing: () => Promise<readonly string[] | null>
}

export interface StepRequest {
  /** From the tree's root. */
  readonly paths: ReadonlySet<string>
  readonly leaveOut: LeaveOut
  /** Can be asked what the earlier state has at a path. */
  readonly importer: Importer
}

export interface CaptureStep {
  readonly before: StandingState
  readonly changes: PathChanges
  /**
   * Says that the state has become this tree, from which the next step starts. If it is not called, the next one looks
   * at the whole tree.
   */
  settle(state_tree: ObjectId): void
}

/** Where a sandbox was made: for its record, and for nobody else. */
export interface SandboxLocation {
  readonly sandbox_path: SandboxPath
  /** Its own directory in the repository's `.git/worktrees`, or its own repository. */
  readonly git_dir: SandboxPath
}

export interface Remade extends Pick<SandboxLocation, 'git_dir'> {
  /** Sentences for the person. */
  readonly notes: readonly string[]
}

export interface NewChangeset {
  readonly id: InvocationId
  readonly branch: string
  /** The commit that the branch begins at. */
  readonly start: ObjectId
  /** A kept state whose files the sandbox begins with, instead of the files of `start`. */
  readonly state: { readonly commit: ObjectId; readonly kept: KeptState } | null
  /** The git directory of a tree whose index probably is that of `start`, so that it need not be made anew. */
  readonly likely: string | null
}

export interface MadeChangeset extends SandboxLocation {
  /** Resolves when the files are written, which may be after the lock has been released. */
  readonly filling: Begun<void>
}

/** What `make` leaves if it is killed. No record names these things yet, so they are recognised by this. */
export interface Makings {
  /** Names of what lies beside the tree. */
  readonly beside: readonly string[]
  /** The git directories that the tree has now. One with an index has been worked in. */
  gitDirs(repository: Repository, treePath: string): string[]
}

export interface ChangesetKind {
  readonly makings: Makings
  open(repository: Repository, record: InvocationRecord): Changeset
  /**
   * The caller holds the lock. When it resolves, the tree is registered with git, marked, and known not to be one of
   * the person's own trees. Each step has its way back. Throws E_SANDBOX_UNSAFE_PATH before anything is made.
   */
  make(repository: Repository, wanted: NewChangeset, step: RunStep): Promise<MadeChangeset>
}
