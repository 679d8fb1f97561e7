// Which files of a state may have been written, or had their mode changed, since git wrote the tree's files. All others
// come back by the same check-out.

import { basename } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { statAt } from '../../../doors/system/raw-paths.ts'
import { selectInSlices } from '../../../doors/system/slices.ts'
import type { ObjectId } from '../../../model/ids.ts'
import type { PlainIndex } from '../../../model/index-file.ts'
import { rawFields } from '../../../model/raw-bytes.ts'
import { GITLINK_MODE, parseRawDiff } from '../../../model/raw-diff.ts'
import { diffRaw } from './write-state.ts'

export interface TouchedRequest {
  readonly git: Git
  /** The commit or tree that the tree's files were made from. */
  readonly base: ObjectId
  readonly state_tree: ObjectId
  /** Raw paths that are known to be touched; null where it is not known which are. */
  readonly known: readonly string[] | null
  /** Raw paths that are not in the state. */
  readonly excluded: readonly string[]
}

/**
 * A directory that was moved takes its files along with their times, so what differs from the base counts as well.
 * Where a rule about conversions has changed, every file may come back otherwise.
 */
export async function findTouched(request: TouchedRequest): Promise<Set<string>> {
  const { git, base, state_tree, known, excluded } = request
  const differing = known === null ? null : await diffFromBase(git, base, state_tree)
  const touched =
    known === null || differing === null || [...known, ...differing.all].some(givesAttributes)
      ? new Set(await listState(git, state_tree))
      : new Set([...known, ...differing.there])
  for (const path of excluded) touched.delete(path)
  return touched
}

/** Whether the file at that raw path says what git does to others. */
export const givesAttributes = (path: string): boolean => basename(path) === '.gitattributes'

interface Differing {
  readonly all: readonly string[]
  readonly there: readonly string[]
}

/** null where the base is gone. */
async function diffFromBase(git: Git, base: ObjectId, tree: ObjectId): Promise<Differing | null> {
  if (base === tree) return { all: [], there: [] }
  const raw = await diffRaw(git, base, tree).catch(() => null)
  if (raw === null) return null
  const { changes } = parseRawDiff(raw)
  const there = changes.filter(({ kind, new_mode }) => kind !== 'deleted' && new_mode !== GITLINK_MODE)
  return { all: changes.map(({ path }) => path), there: there.map(({ path }) => path) }
}

const listState = async (git: Git, tree: ObjectId): Promise<string[]> =>
  rawFields((await git.run(['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree])).stdout)

/** Raw paths of files with other times than the private index notes. No file is read. */
export async function listRestless(git: Git): Promise<string[]> {
  const args = [...PRIVATE_INDEX, 'diff-files', '--name-only', '--ignore-submodules=all', '-z']
  return rawFields((await git.run(args)).stdout)
}

/**
 * Raw paths of the files that were touched as far as the index notes, or within the second in which it was made. None
 * where there is no such index.
 */
export async function listTouched(
  tree: string,
  index: Pick<PlainIndex, 'touched' | 'close'> | null,
): Promise<string[]> {
  if (index === null) return []
  const changed = await selectInSlices(index.close, ({ path, seconds, nanoseconds }) => {
    const now = statAt(tree, path)?.ctimeMs ?? 0
    return Math.abs(now - (seconds * 1000 + nanoseconds / 1_000_000)) > MICROSECOND
  })
  return [...index.touched, ...changed.map(({ path }) => path)]
}

/** In milliseconds; what we are told is not more exact. */
const MICROSECOND = 0.001
