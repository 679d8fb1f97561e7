// How git knows of a work tree of ours: in this alone a linked worktree differs from a tree with a repository of its
// own. What is done with the files of either is the same.

import type { RepositoryGit, TreeLocation } from '../doors/effects.ts'
import type { Heads } from '../doors/git/read-head.ts'
import type { ObjectId } from '../model/ids.ts'
import type { KeptState } from '../model/kept-state.ts'
import type { Capture } from './changeset.ts'

export interface Administration {
  /** git on the tree can read what the tree's own repository has. */
  readonly git: RepositoryGit
  /** Where the files lie that say where the tree's branches are. */
  refsDir(where: TreeLocation): string
  heads(where: TreeLocation, fallbackHead: ObjectId): Heads
  /** Has git know of the tree, with HEAD at this commit and no file checked out. Answers its git directory. */
  add(treePath: string, head: ObjectId): Promise<string>
  /** The git directory as it is now; the recorded one where git knows none. */
  find(where: TreeLocation): string
  /** Agents can write records: whether this is the git directory of that tree, and of no other. */
  isOf(where: TreeLocation): boolean
  /** Has git forget the tree, where it still knows it. Throws E_PATH_NOT_OURS. */
  forget(where: TreeLocation): void
  /**
   * Puts HEAD on the branch that it was on, where that branch is what it was; else detached at the same commit. Sentences
   * to pass on.
   */
  setHead(where: TreeLocation, kept: KeptState): Promise<string[]>
  /** Before the tree's files go to the trash: what would be lost without them goes along. */
  packUp(where: TreeLocation): void
  /** After the files have come back from there. Answers false where nothing had gone along. */
  unpack(where: TreeLocation): boolean
  /**
   * What a captured state names becomes the repository's own. False where the tree's repository does not have all of it,
   * or something else under its name.
   */
  bringHome(where: TreeLocation, capture: Capture): Promise<boolean>
  /** What only the tree's repository has, beside its branch: as paths, to be kept with the files. */
  ownWork(where: TreeLocation): string[]
}
