// The proof that a directory is ours before it is moved or deleted. An agent could have put a symbolic link where its
// tree was; what lies behind the link would be lost.

import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TreeLocation } from '../../../doors/effects.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { AgencyError } from '../../../model/errors.ts'
import type { InvocationRecord } from '../../../model/invocation.ts'
import { INTEGRATION_MARKER, SANDBOX_MARKER } from '../../../model/markers.ts'
import { notOurs } from '../../../model/path-safety.ts'
import type { WorktreeRecord } from '../../../model/worktree.ts'
import { readInvocation } from '../../../store/invocations.ts'
import type { Repository } from '../../../store/repository.ts'
import { readWorktree } from '../../../store/worktrees.ts'
import type { Administration } from '../../administration.ts'
import { knownLocation, knownPath } from '../../location.ts'
import { linkedAdministration } from '../linked-administration.ts'

/** A work tree that we made: where its record says it is, and where a tree with its id has to be. */
export interface OurTree extends TreeLocation {
  readonly id: string
  readonly place: string
  readonly marker: string
  readonly administration: Administration
  /** Path that the record on disk names. Throws where there is no such record. */
  recordedPath(): string
}

/** For the kind of sandbox that its record names. */
export const sandboxTree = (
  { paths }: Repository,
  record: InvocationRecord,
  administration: Administration,
): OurTree => ({
  id: record.invocation_id,
  ...knownLocation(record),
  place: knownPath(paths.invocation(record.invocation_id).tree),
  marker: SANDBOX_MARKER,
  administration,
  recordedPath: () => knownPath(readInvocation(paths, record.invocation_id).sandbox_path),
})

export const integrationTree = (repository: Repository, record: WorktreeRecord): OurTree => ({
  id: record.worktree_id,
  tree_path: record.tree_path,
  git_dir: record.git_dir,
  place: repository.paths.worktree(record.worktree_id).tree,
  marker: INTEGRATION_MARKER,
  administration: linkedAdministration(repository),
  recordedPath: () => readWorktree(repository.paths, record.worktree_id).tree_path,
})

/** Throws E_PATH_NOT_OURS. 'gone': nothing lies there, perhaps because an earlier, killed attempt has removed it. */
export function proveOurs({ effects }: Repository, tree: OurTree): 'there' | 'gone' {
  const path = tree.tree_path
  const place = join(realpathSync(effects.dataDir), relative(effects.dataDir, tree.place))
  if (path !== place) throw notOurs(path, `the tree of this id lies at ${place}`)
  const there = lstatIfThere(path)
  if (there === null) return 'gone'
  if (!there.isDirectory()) throw notOurs(path, 'it is no directory')
  const real = realpathSync(path)
  if (real !== path) throw notOurs(path, `a symbolic link leads to ${real}`)
  if (!bearsMarker(tree) && !isRecorded(tree)) throw notOurs(path, 'it has neither a marker nor a record')
  return 'there'
}

export const bearsMarker = ({ tree_path, marker }: OurTree): boolean =>
  lstatIfThere(join(tree_path, marker))?.isFile() ?? false

function isRecorded(tree: OurTree): boolean {
  try {
    return tree.recordedPath() === tree.tree_path
  } catch (error) {
    if (error instanceof AgencyError) return false
    throw error
  }
}
