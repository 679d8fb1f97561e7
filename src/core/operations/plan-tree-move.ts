// What moving a work tree from one commit to another comes to, and two small trees that say nothing else: git's two-way
// merge keeps every index entry that is in neither of them, so it need not read the 99 % that stay as they are.

import { AgencyError } from '../model/errors.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import { showRaw } from '../model/raw-bytes.ts'
import { parseRawDiff, type RawChange } from '../model/raw-diff.ts'
import { formatTrees, type NamedTree, nestTrees, type PathEntry } from '../model/tree-object.ts'
import { MARKER_DIR } from '../store/paths.ts'
import type { Repository } from '../store/repository.ts'

export interface TreeMove {
  readonly from: ObjectId
  readonly to: ObjectId
  /** Without renames; raw paths. */
  readonly changes: readonly RawChange[]
  /** Trees of the changed paths alone. */
  readonly narrow_from: ObjectId
  readonly narrow_to: ObjectId
}

export async function planTreeMove(repository: Repository, from: ObjectId, to: ObjectId): Promise<TreeMove> {
  const changes = await readTreeChanges(repository, from, to)
  const objectSize = from.length / 2
  const before = nestTrees(changes.filter(wasThere).map(oldEntry), objectSize)
  const after = nestTrees(changes.filter(isThere).map(newEntry), objectSize)
  const [narrow_from, narrow_to] = await writeTrees(repository, [before, after])
  return { from, to, changes, narrow_from, narrow_to }
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

/** The root of each. Files that they name need not be there: nobody reads these trees but for the names. */
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

export async function readTreeChanges(
  { git }: Repository,
  from: ObjectId,
  to: ObjectId,
): Promise<readonly RawChange[]> {
  const args = [
    'diff-tree',
    '-r',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--ignore-submodules=none',
    '-z',
    from,
    to,
  ]
  return parseRawDiff((await git.store.run(args)).stdout).changes
}

export const wasThere = (change: RawChange): boolean => change.kind !== 'added'
export const isThere = (change: RawChange): boolean => change.kind !== 'deleted'

/** Throws E_MARKER_IN_WORK. */
export function refuseMarkers({ changes }: TreeMove): void {
  const ours = changes.filter(({ path }) => path === MARKER_DIR || path.startsWith(`${MARKER_DIR}/`))
  if (ours.length === 0) return
  const files = ours.map((change) => showRaw(change.path))
  throw new AgencyError('E_MARKER_IN_WORK', `the work contains ${files.join(', ')}`, { details: { files } })
}
