// From a private index to the tree that counts as the state.

import type { Git } from '../../../doors/effects.ts'
import { PRIVATE_INDEX, removal, setEntries } from '../../../doors/git/index-oddities.ts'
import type { Head } from '../../../doors/git/read-head.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { GITLINK_MODE, parseRawDiff, type RawChange } from '../../../model/raw-diff.ts'

export interface WrittenState {
  readonly state_tree: ObjectId
  /** Raw. */
  readonly left_out: readonly string[]
}

/**
 * The tree of the index, with two corrections. Our own directory is as in HEAD again, since an agent may add it by
 * force; and nested repositories that nobody staged are out, since their entry names a commit that no repository of
 * ours has.
 */
export async function writeState(
  git: Git,
  head: Head,
  stagedLinks: readonly string[],
): Promise<WrittenState> {
  const whole = await writeTree(git)
  const { foreign, links } = await findIntruders(git, { head, tree: whole, stagedLinks })
  if (foreign.length + links.length === 0) return { state_tree: whole, left_out: [] }
  await setEntries(git, [...links, ...foreign].map(removalOf))
  await setEntries(git, foreign.filter(({ kind }) => kind !== 'added').map(toHead))
  return {
    state_tree: await writeTree(git),
    left_out: links.map((change) => change.path),
  }
}

export interface Intruders {
  /** Changes in our own directory. */
  readonly foreign: readonly RawChange[]
  /** Nested repositories that nobody staged. */
  readonly links: readonly RawChange[]
}

/** What a tree has beyond HEAD's that does not belong to the state. */
export async function findIntruders(
  git: Git,
  { head, tree, stagedLinks }: { head: Head; tree: ObjectId; stagedLinks: readonly string[] },
): Promise<Intruders> {
  if (tree === head.head_tree) return { foreign: [], links: [] }
  const { changes } = parseRawDiff(await diffRaw(git, head.head_tree, tree))
  return {
    foreign: changes.filter((change) => isMarkerPath(change.path)),
    links: changes.filter(
      ({ new_mode, path }) => new_mode === GITLINK_MODE && !isMarkerPath(path) && !stagedLinks.includes(path),
    ),
  }
}

export const writeTree = (git: Git): Promise<ObjectId> => git.object([...PRIVATE_INDEX, 'write-tree'])

const removalOf = ({ path, new_object }: RawChange) => removal({ path, object: new_object })
const toHead = ({ path, old_mode, old_object }: RawChange) => ({ mode: old_mode, object: old_object, path })

export const diffRaw = async (git: Git, from: ObjectId, to: ObjectId): Promise<Buffer> =>
  (await git.run(['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev', '-z', from, to])).stdout
