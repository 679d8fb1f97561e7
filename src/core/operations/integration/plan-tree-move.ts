// What has to change when a work tree moves from one commit to another, in a form for the git that will do it: usually
// a patch with nothing but names, else two small trees. Neither mentions the 99 % of files that stay the same.

import { readTreeChanges } from '../../doors/git/compare-trees.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { MARKER_DIR } from '../../model/markers.ts'
import { showRaw } from '../../model/raw-bytes.ts'
import type { RawChange } from '../../model/raw-diff.ts'
import { formatTrees, type NamedTree, nestTrees, type PathEntry } from '../../model/tree-object.ts'
import { fitsPatch, formatTreePatch, objectsOf } from '../../model/tree-patch.ts'
import type { Repository } from '../../store/repository.ts'

export interface TreeMove {
  readonly from: ObjectId
  readonly to: ObjectId
  /** Without renames; paths are raw. */
  readonly changes: readonly RawChange[]
  /** The input for `git apply`; null where git could not make all of the changes by it. */
  readonly patch: string | null
  /** null as long as they are not needed. */
  readonly trees: NarrowTrees | null
}

/**
 * Trees that hold the changed paths and nothing else. A two-way merge keeps every index entry that is in neither of
 * them.
 */
export interface NarrowTrees {
  readonly from: ObjectId
  readonly to: ObjectId
}

export async function planTreeMove(repository: Repository, from: ObjectId, to: ObjectId): Promise<TreeMove> {
  const changes = await readTreeChanges(repository, from, to)
  const patched = fitsPatch(changes) && (await areSmall(repository, changes))
  if (patched) return { from, to, changes, patch: formatTreePatch(changes), trees: null }
  return { from, to, changes, patch: null, trees: await makeNarrowTrees(repository, changes) }
}

/** Bytes of one object. `git apply` holds each of them in memory twice. */
const LARGE = 16 << 20

async function areSmall({ git }: Repository, changes: readonly RawChange[]): Promise<boolean> {
  if (changes.length === 0) return true
  const input = objectsOf(changes).join('\n')
  const sizes = await git.store.text(['cat-file', '--batch-check=%(objectsize)'], { input: `${input}\n` })
  return sizes.split('\n').every((size) => Number(size) <= LARGE)
}

export async function makeNarrowTrees(
  repository: Repository,
  changes: readonly RawChange[],
): Promise<NarrowTrees> {
  const objectSize = (changes[0]?.old_object.length ?? 0) / 2
  const before = nestTrees(changes.filter(wasThereBefore).map(oldEntry), objectSize)
  const after = nestTrees(changes.filter(isThereAfter).map(newEntry), objectSize)
  const [from, to] = await writeTrees(repository, [before, after])
  return { from, to }
}

const oldEntry = ({ old_mode, old_object, path }: RawChange): PathEntry => ({
  mode: old_mode,
  object: old_object,
  path,
})
const newEntry = ({ new_mode, new_object, path }: RawChange): PathEntry => ({
  mode: new_mode,
  object: new_object,
  path,
})

/** Returns the root of each. The files that they name need not exist: nobody reads these trees for more than names. */
async function writeTrees(
  { git }: Repository,
  [before, after]: readonly [readonly NamedTree[], readonly NamedTree[]],
): Promise<[ObjectId, ObjectId]> {
  const trees = [...before, ...after]
  const made = await git.store.text(['mktree', '-z', '--missing', '--batch'], { input: formatTrees(trees) })
  const names = made.split('\n')
  if (names.join() !== trees.map(({ object }) => object).join()) {
    throw new AgencyError('E_GIT_FAILED', 'git mktree wrote other trees than it was given')
  }
  return [parseObjectId(names[before.length - 1] ?? ''), parseObjectId(names.at(-1) ?? '')]
}

export const wasThereBefore = (change: RawChange): boolean => change.kind !== 'added'
export const isThereAfter = (change: RawChange): boolean => change.kind !== 'deleted'

/** Throws E_MARKER_IN_WORK. */
export function refuseMarkers({ changes }: TreeMove): void {
  const ours = changes.filter(({ path }) => path === MARKER_DIR || path.startsWith(`${MARKER_DIR}/`))
  if (ours.length === 0) return
  const files = ours.map((change) => showRaw(change.path))
  throw new AgencyError('E_MARKER_IN_WORK', `the work contains ${files.join(', ')}`, { details: { files } })
}
