// What all ways of capturing a tree have in common: the request, and how the result is put together.

import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import type { Head, Heads } from '../../../doors/git/read-head.ts'
import { selectIgnored } from '../../../doors/git/select-ignored.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawOf, showRaw } from '../../../model/raw-bytes.ts'
import type { Capture, Verbatim } from '../../changeset.ts'
import type { Unheld } from './git-complaints.ts'
import type { LeaveOut } from './leave-out.ts'

export interface CaptureRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  /** Reads the tree's HEAD. */
  readonly heads: Heads
  /** What counts as HEAD where the tree has none. */
  readonly fallbackHead: ObjectId
  /** An existing directory of ours for the private index. */
  readonly scratchDir: string
  readonly leaveOut?: LeaveOut
  readonly looked?: KeptLooks
  /** The files will be let go. */
  readonly closing?: boolean
}

/** Where a look at the tree may be kept (see kept-look.ts). */
export interface KeptLooks {
  readonly dir: string
  /**
   * When the run ended, in milliseconds since the epoch; null while it runs. A look from before that may be forged by
   * its agent.
   */
  readonly since: number | null
}

export interface TakenCapture {
  readonly capture: Capture
  /** HEAD has moved since it was read: the agent committed meanwhile. */
  readonly moved: boolean
}

/** git gave up half-way: the paths to leave out at first in the next attempt, and what git said. */
export interface FailedCapture {
  readonly setAside: readonly string[]
  readonly said: string
}

export type Attempt = TakenCapture | FailedCapture

export interface CaptureFindings {
  readonly tree: string
  /** The tree of the index; null where the index cannot be written as one. */
  readonly staged: ObjectId | null
  readonly state_tree: ObjectId
  readonly verbatim: Verbatim | null
  /** As shown, in any order. */
  readonly incomplete: readonly string[]
  /** Paths that are incomplete too, each with its reason. */
  readonly unheld?: readonly Unheld[]
  readonly has_ignored: boolean
  /** Raw, in any order. */
  readonly excluded: readonly string[]
}

export function describeCapture(
  { head, head_ref, head_tree, unborn, read_at }: Head,
  found: CaptureFindings,
): Capture {
  const unheld = (found.unheld ?? []).filter(({ path }) => !isMarkerPath(path))
  const named = [...found.incomplete, ...unheld.map(({ path }) => path)]
  const incomplete = new Set([...replacedGit(found.tree), ...named])
  return {
    head,
    head_tree,
    head_ref,
    unborn,
    index_tree: found.staged === head_tree ? null : found.staged,
    state_tree: found.state_tree,
    dirty: found.state_tree !== head_tree,
    incomplete: [...incomplete].filter((path) => !isMarkerPath(path)).sort(),
    reasons: Object.fromEntries(unheld.map(({ path, why }) => [path, why])),
    verbatim: found.verbatim,
    has_ignored: found.has_ignored,
    excluded: [...new Set(found.excluded.map(showRaw))].filter((path) => !isMarkerPath(path)).sort(),
    begun_at: read_at,
  }
}

/** The path of `.git` where the agent has replaced the link to the repository by a repository of its own; else none. */
const replacedGit = (tree: string): string[] =>
  lstatIfThere(join(tree, '.git'))?.isDirectory() === true ? ['.git'] : []

/** Of these paths, those that lie in none of these directories. */
export const notInside = (paths: readonly string[], directories: readonly string[]): string[] =>
  paths.filter((path) => !directories.some((directory) => path.startsWith(`${directory}/`)))

/** Of these pipes, sockets and devices, as shown: the ones that no rule ignores. */
export async function notIgnored(git: Git, paths: readonly string[]): Promise<string[]> {
  const ignored = await selectIgnored(git, paths.map(rawOf))
  return paths.filter((path) => ignored?.has(rawOf(path)) !== true)
}
