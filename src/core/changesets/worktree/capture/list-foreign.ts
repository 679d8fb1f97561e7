// What somebody has put into our own directory in a tree. No commit of ours ever holds it, so it is named like anything
// else that git cannot hold. Files that HEAD itself has there, unchanged, are not meant, nor is what a runner reports of
// its own state.

import { join } from 'node:path'
import type { RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import { listDirents, lstatIfThere, readTextIfThere } from '../../../doors/system/files.ts'
import { filesBelow } from '../../../doors/system/raw-paths.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { MARKER_DIR, STATE_DIR } from '../../../model/markers.ts'
import { rawFields, rawInput, rawOf, showRaw } from '../../../model/raw-bytes.ts'
import { holdsOnlyStatus } from '../../status-file.ts'
import { isOurMarker } from '../proof/marker.ts'

export interface ForeignRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  readonly head: ObjectId
}

/** Paths from the tree's root, as shown: entries of our directory, or the directory itself if it is none. */
export async function listForeign({ git, where, head }: ForeignRequest): Promise<string[]> {
  const tree = where.tree_path
  const there = lstatIfThere(join(tree, MARKER_DIR))
  if (there === null) return []
  if (!there.isDirectory()) return [MARKER_DIR]
  const foreign = listDirents(join(tree, MARKER_DIR))
    .map(({ name }) => `${MARKER_DIR}/${name}`)
    .filter((path) => !isOurs(tree, path))
  if (foreign.length === 0) return []
  const known = await git.store.run(['ls-tree', '-r', '-z', '--full-tree', head, '--', `${MARKER_DIR}/`])
  const committed = new Map(rawFields(known.stdout).map(entryOf))
  if (committed.size === 0) return foreign.sort()
  const same = await selectSame({ git, where, head }, committed)
  return foreign.filter((path) => !filesAt(tree, rawOf(path)).every((file) => same.has(file))).sort()
}

/** Bytes. Our own files there are shorter. */
const LARGE = 1000

function isOurs(tree: string, path: string): boolean {
  if (path === STATE_DIR) return holdsOnlyStatus(join(tree, path))
  const there = lstatIfThere(join(tree, path))
  return (
    there?.isFile() === true && there.size < LARGE && isOurMarker(path, readTextIfThere(join(tree, path)))
  )
}

/** `mode type object TAB path`. */
const entryOf = (line: string): [path: string, object: string] => [
  line.slice(line.indexOf('\t') + 1),
  line.slice(0, line.indexOf('\t')).split(' ')[2] ?? '',
]

const filesAt = (tree: string, path: string): string[] =>
  lstatIfThere(join(tree, showRaw(path)))?.isDirectory() === true ? filesBelow(tree, path) : [path]

/** Which of these files lie in the tree as they are committed. */
async function selectSame(
  { git, where }: ForeignRequest,
  committed: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const files = [...committed.keys()].filter(
    (path) => lstatIfThere(join(where.tree_path, showRaw(path)))?.isFile() === true && !path.includes('\n'),
  )
  if (files.length === 0) return new Set()
  const input = rawInput(files).toString('latin1').replaceAll('\0', '\n')
  const hashed = await git
    .tree(where)
    .run(['hash-object', '--stdin-paths'], { input: Buffer.from(input, 'latin1'), answers: [128] })
  const names = hashed.stdout.toString('latin1').split('\n')
  return new Set(files.filter((path, at) => names[at] === committed.get(path)))
}
