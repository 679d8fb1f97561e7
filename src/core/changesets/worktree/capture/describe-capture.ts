// What both ways of capturing a tree have in common: what is asked, and how the answer is put together.

import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import type { Head, Heads } from '../../../doors/git/read-head.ts'
import { selectIgnored } from '../../../doors/git/select-ignored.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawOf, showRaw } from '../../../model/raw-bytes.ts'
import type { Capture } from '../../changeset.ts'
import type { LeaveOut } from './leave-out.ts'

export interface CaptureRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  /** Where the tree's HEAD is told. */
  readonly heads: Heads
  /** What counts as HEAD where the tree has none. */
  readonly fallbackHead: ObjectId
  /** An existing directory of ours for the private index. */
  readonly scratchDir: string
  readonly leaveOut?: LeaveOut
  readonly looked?: KeptLooks
}

/** Where a look at the tree may be kept (see kept-look.ts). */
export interface KeptLooks {
  readonly dir: string
  /** When the run ended, in milliseconds since the epoch: until then its agent could have written one. null: it has not. */
  readonly since: number | null
}

export interface Taken {
  readonly capture: Capture
  /** HEAD is elsewhere by now: the agent committed meanwhile. */
  readonly moved: boolean
}

/** git gave up half-way: paths to leave out at first in the next attempt, and what it said. */
export interface Failed {
  readonly setAside: readonly string[]
  readonly said: string
}

export type Attempt = Taken | Failed

export interface Found {
  readonly tree: string
  /** The tree of the index; null where it makes none. */
  readonly staged: ObjectId | null
  readonly state_tree: ObjectId
  /** As shown, in any order. */
  readonly incomplete: readonly string[]
  readonly has_ignored: boolean
  /** Raw, in any order. */
  readonly excluded: readonly string[]
}

export function describeCapture({ head, head_ref, head_tree, unborn, read_at }: Head, found: Found): Capture {
  const incomplete = new Set([...replacedGit(found.tree), ...found.incomplete])
  return {
    head,
    head_tree,
    head_ref,
    unborn,
    index_tree: found.staged === head_tree ? null : found.staged,
    state_tree: found.state_tree,
    dirty: found.state_tree !== head_tree,
    incomplete: [...incomplete].filter((path) => !isMarkerPath(path)).sort(),
    has_ignored: found.has_ignored,
    excluded: [...new Set(found.excluded.map(showRaw))].filter((path) => !isMarkerPath(path)).sort(),
    begun_at: read_at,
  }
}

/** The link to the repository, where the agent has put a repository of its own in its place. */
const replacedGit = (tree: string): string[] =>
  lstatIfThere(join(tree, '.git'))?.isDirectory() === true ? ['.git'] : []

/** Of pipes, sockets and devices, as shown: those that nobody meant to be ignored. */
export async function notIgnored(git: Git, paths: readonly string[]): Promise<string[]> {
  const ignored = await selectIgnored(git, paths.map(rawOf))
  return paths.filter((path) => ignored?.has(rawOf(path)) !== true)
}
