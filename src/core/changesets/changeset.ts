// The one door to a sandbox's files. Today every sandbox is a linked git worktree; later ones will be overlays that only
// their host's namespace can see, so nothing outside this door may assume that a sandbox's path can be read from here.

import type { Git, TreeLocation } from '../doors/effects.ts'
import type { FileChange } from '../model/change.ts'
import type { ObjectId } from '../model/ids.ts'
import type { LeaveOut } from './worktree/capture/leave-out.ts'

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

export interface Changeset {
  readonly where: TreeLocation
  /** git in the sandbox, in the clean room. */
  readonly git: Git
  exists(): boolean
  /** Whole, unless something is to be left out. */
  capture(leaveOut?: LeaveOut): Promise<Capture>
  /** Where the tree is clean: makes the next capture of it a matter of asking whether it still is. Changes nothing. */
  keepLook(): Promise<void>
  /** Every path that differs, renames found. */
  changes(range: ChangeRange, capture: Capture): Promise<FileChange[]>
  /**
   * One commit under `ref` that holds the captured state: its tree is the state; its parents are HEAD, then the index as
   * a commit where that differs, then the tip of the sandbox's branch where HEAD does not contain it, then `also`. The message holds
   * what restoreSandbox needs as JSON (model/kept-state.ts).
   */
  keep(ref: string, capture: Capture, beside?: KeptBeside): Promise<ObjectId>
  /**
   * The tree leaves its place at once (rename) and git forgets the worktree; the files are deleted in the background, or
   * stay under `trash/`: all of them where `wholeAt` is null (git could not hold them), and where one has changed after
   * that moment, which is when git held them. Throws E_PATH_NOT_OURS unless the path is in
   * our data directory and carries the sandbox marker or `recorded` proof.
   */
  remove(wholeAt: number | null): Promise<void>
}
