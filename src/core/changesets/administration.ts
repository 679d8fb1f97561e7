// How git knows of a work tree of ours. A linked worktree and a tree with a repository of its own differ in this alone;
// what is done with their files is the same.

import type { RepositoryGit, TreeLocation } from '../doors/effects.ts'
import type { Heads } from '../doors/git/read-head.ts'
import type { ObjectId } from '../model/ids.ts'
import type { KeptState } from '../model/kept-state.ts'
import type { Capture } from './changeset.ts'

export interface Administration {
  /** git on the tree, which can read whatever the tree's own repository has. */
  readonly git: RepositoryGit
  /** Where the files lie that say where the tree's branches are. */
  refsDir(where: TreeLocation): string
  heads(where: TreeLocation, fallbackHead: ObjectId): Heads
  /** Has git know of the tree, with HEAD at this commit and no file checked out. Returns its git directory. */
  add(treePath: string, head: ObjectId): Promise<string>
  /** The git directory as it is now; where git knows none, the one that the record names. */
  find(where: TreeLocation): string
  /** Whether this git directory belongs to that tree and to no other. Asked because agents can write records. */
  isOf(where: TreeLocation): boolean
  /** Before the tree is let go: mends what keeps git from telling whose its directory is, where that can be proved. */
  reclaim(where: TreeLocation): void
  /** Has git forget the tree, where it still knows it. Throws E_PATH_NOT_OURS. */
  forget(where: TreeLocation): void
  /**
   * Puts HEAD on the branch that it was on, if that branch is still where it was; otherwise detaches HEAD at the same
   * commit. Returns sentences for the person.
   */
  setHead(where: TreeLocation, kept: KeptState): Promise<string[]>
  /**
   * Is called before the tree's files go to the trash. It puts everything among them that would otherwise be lost, if
   * they are to be kept there. Returns whether it has moved anything.
   */
  packUp(where: TreeLocation, kept: boolean): boolean
  /** Is called after the files have come back from the trash. Returns false if nothing was packed up with them. */
  unpack(where: TreeLocation): boolean
  /** Where the index lies that was packed up with the files. */
  packedIndex(where: TreeLocation): string
  /** Whether a kill came after `packUp`, and what was packed up has nowhere to go back to. */
  isPackedUp(where: TreeLocation): boolean
  /** For a tree that is gone: brings home what was committed, and puts whatever else there is into the trash. */
  salvage(where: TreeLocation): Promise<void>
  /**
   * Makes what a captured state names part of the person's repository. Returns false where the tree's repository lacks
   * some of it, or holds something else under its name.
   */
  bringHome(where: TreeLocation, capture: Capture): Promise<boolean>
  /**
   * What the tree's own git directory has and nothing else: refs except its branch, repositories of submodules, a rebase
   * in progress. Told as paths, so that it is kept with the files.
   */
  ownWork(where: TreeLocation): string[]
}
