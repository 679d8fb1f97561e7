// Finds the person's own files that lie where a new commit wants to write. git would overwrite ignored ones; here they
// count like any other.

import { filesBelow, parentsOf, statAt } from '../../doors/system/raw-paths.ts'
import { showRaw } from '../../model/raw-bytes.ts'
import { GITLINK_MODE, type RawChange } from '../../model/raw-diff.ts'

/** `changes` are those that the tree is about to make. Returns each path once, as shown. */
export function findObstacles(tree: string, changes: readonly RawChange[]): string[] {
  const leaving = new Set(changes.filter((change) => change.kind === 'deleted').map((change) => change.path))
  const found = changes.flatMap((change) => {
    if (change.kind === 'added') return obstacleAt(tree, change, leaving) ?? []
    return losesNested(tree, change) || isDeletedHere(tree, change) ? change.path : []
  })
  return [...new Set(found)].map(showRaw)
}

/** Raw paths of files that git has and the tree has not, because the person has deleted them. */
export const findMissingPaths = (tree: string, changes: readonly RawChange[]): string[] =>
  changes
    .filter((change) => change.kind !== 'added' && statAt(tree, change.path) === null)
    .map((change) => change.path)

function obstacleAt(tree: string, { path }: RawChange, leaving: ReadonlySet<string>): string | null {
  for (const parent of parentsOf(path)) {
    const stat = statAt(tree, parent)
    if (stat === null) return null
    if (!stat.isDirectory()) return leaving.has(parent) ? null : parent
  }
  const stat = statAt(tree, path)
  if (stat === null) return null
  return stat.isDirectory() && filesBelow(tree, path).every((file) => leaving.has(file)) ? null : path
}

/** A file that the person has deleted and the new commit changes: writing it would undo their deletion. */
const isDeletedHere = (tree: string, change: RawChange): boolean =>
  change.kind !== 'deleted' && change.old_mode !== GITLINK_MODE && statAt(tree, change.path) === null

/** A nested repository with files in it, where something else is to be written. */
const losesNested = (tree: string, change: RawChange): boolean =>
  change.old_mode === GITLINK_MODE &&
  change.kind === 'type_changed' &&
  filesBelow(tree, change.path).length > 0
