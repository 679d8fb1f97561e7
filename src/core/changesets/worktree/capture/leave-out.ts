// What a checkpoint leaves out: files with the names of secrets, and files that are too large. A secret is left out
// before git reads it, so that no object in the repository ever holds it because of us. What HEAD has is taken: it is
// public already.

import type { Git } from '../../../doors/effects.ts'
import { removal, setEntries } from '../../../doors/git/index-oddities.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { selectInSlices } from '../../../doors/system/slices.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawBytes, rawFields, rawOf, showRaw } from '../../../model/raw-bytes.ts'
import { parseRawDiff } from '../../../model/raw-diff.ts'
import { diffRaw, writeTree } from './write-state.ts'

export interface LeaveOut {
  /** Given a raw path. A file with such a name is taken only if HEAD has it. */
  readonly isSecret: (path: string) => boolean
  /** In bytes. A larger file is taken only if the index already holds it as it is. */
  readonly max_file_size: number
  /** If true, files that the index does not name are neither taken nor reported. */
  readonly untracked: boolean
}

export const NOTHING_LEFT_OUT: LeaveOut = {
  isSecret: () => false,
  max_file_size: Number.POSITIVE_INFINITY,
  untracked: false,
}

/** Which of these raw paths, all differing from the index, are left out. Decided before git has read any of them. */
export async function pickLeftOut(
  { git, tree, headTree }: WorkTree,
  paths: readonly string[],
  { isSecret, max_file_size }: LeaveOut,
): Promise<ReadonlySet<string>> {
  const secrets = paths.filter(isSecret)
  const known = await selectKnown(git, headTree, secrets)
  const hidden = new Set(secrets.filter((path) => !known.has(path)))
  const large = Number.isFinite(max_file_size)
    ? await selectInSlices(paths, (path) => !isMarkerPath(path) && isLarger(tree, path, max_file_size))
    : []
  return new Set([...hidden, ...large])
}

export interface WorkTree {
  readonly git: Git
  /** The work tree's path. */
  readonly tree: string
  readonly headTree: ObjectId
}

/** Takes paths out of the private index. They need not be in it. */
export async function dropEntries(git: Git, headTree: ObjectId, paths: Iterable<string>): Promise<void> {
  await setEntries(
    git,
    [...paths].map((path) => removal({ path, object: headTree })),
  )
}

export interface Kept {
  readonly tree: ObjectId
  /** Raw. */
  readonly dropped: readonly string[]
}

/** Takes secrets out again that somebody has put into the index by force. `tree` is the tree of the private index. */
export async function dropSecrets(
  git: Git,
  trees: { readonly headTree: ObjectId; readonly tree: ObjectId },
  { isSecret }: LeaveOut,
): Promise<Kept> {
  const { headTree, tree } = trees
  if (tree === headTree) return { tree, dropped: [] }
  const { changes } = parseRawDiff(await diffRaw(git, headTree, tree))
  const dropped = changes
    .filter(({ kind, path }) => kind === 'added' && isSecret(path))
    .map(({ path }) => path)
  if (dropped.length === 0) return { tree, dropped }
  await dropEntries(git, headTree, dropped)
  return { tree: await writeTree(git), dropped }
}

/** Which of these raw paths are files in the tree. */
export async function selectKnown(
  git: Git,
  tree: ObjectId,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  // An argument is text: a name that is not UTF-8 is looked up in the whole list.
  const asText = paths.length < 500 && paths.every((path) => rawOf(showRaw(path)) === path)
  const only = asText ? ['--', ...paths.map(showRaw)] : []
  const listed = await git.run(['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree, ...only])
  return new Set(rawFields(listed.stdout))
}

function isLarger(tree: string, path: string, limit: number): boolean {
  const there = lstatIfThere(Buffer.concat([Buffer.from(`${tree}/`), rawBytes(path)]))
  return there?.isFile() === true && there.size > limit
}
