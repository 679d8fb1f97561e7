// Fills a registered tree with the files of its commit. What takes long is to create the files, and git does that in one
// process: the workers that it offers (checkout.workers) are told of each file by a pipe and answer for each, which costs
// what they save. So two gits write half of a large tree each.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ObjectId } from '../model/ids.ts'
import { type Halves, halveIndex } from '../model/index-halves.ts'
import { rawBytes } from '../model/raw-bytes.ts'
import { MARKER_DIR } from '../store/paths.ts'
import type { RepositoryGit, TreeLocation } from './effects.ts'
import { inScratchDirectory } from './scratch-directory.ts'

export interface CheckOut {
  readonly commit: ObjectId
  /** An existing directory of ours. */
  readonly scratchDir: string
}

export interface PreparedCheckOut extends CheckOut {
  readonly halves: Halves
}

/** May be done before the tree is there. null where one git is to write all of it; what is wrong will be said by that one. */
export async function prepareCheckOut(
  git: RepositoryGit,
  wanted: CheckOut,
): Promise<PreparedCheckOut | null> {
  const { commit, scratchDir } = wanted
  const index = await inScratchDirectory(scratchDir, 'indexes', async (dir) => {
    const path = join(dir, 'index')
    const read = await git.store.run(['read-tree', commit], { index: path, answers: [128] })
    return read.exitCode === 0 ? readFileSync(path) : null
  })
  const halves =
    index === null ? null : halveIndex(index, { objectSize: commit.length / 2, occupied: MARKER_DIR })
  return halves === null ? null : { ...wanted, halves }
}

/** Nothing is in the tree yet but our marker. When this rejects, nobody writes there any more. */
export async function checkOutTree(
  git: RepositoryGit,
  where: TreeLocation,
  prepared: PreparedCheckOut | null = null,
): Promise<void> {
  if (prepared !== null && isOrdinary(where) && (await writeInHalves(git, where, prepared))) return
  await git.tree(where).run(['-c', 'checkout.workers=2', 'reset', '--quiet', '--hard'])
}

/** Not so: a part of the files is to be left out, or two names of the index can be one file. */
const isOrdinary = ({ tree_path, git_dir }: TreeLocation): boolean =>
  !existsSync(join(git_dir, 'info/sparse-checkout')) && !existsSync(join(tree_path, '.GIT'))

/** False where the index that the two made is not understood; the files are there then. */
function writeInHalves(
  git: RepositoryGit,
  where: TreeLocation,
  { halves, commit, scratchDir }: PreparedCheckOut,
): Promise<boolean> {
  // Whoever of the two comes second to a directory that the first one has made in this moment gives up.
  for (const path of halves.shared)
    mkdirSync(Buffer.concat([Buffer.from(`${where.tree_path}/`), rawBytes(path)]))
  return inScratchDirectory(scratchDir, 'indexes', async (dir) => {
    const written = halves.indexes.map(async (half, at) => {
      const index = join(dir, `half-${at}`)
      writeFileSync(index, half)
      await git.tree(where).run(['-c', 'checkout.workers=1', 'read-tree', '-m', '-u', commit], { index })
      return readFileSync(index)
    })
    const [first, second] = await allOrNone(written)
    const index = first === undefined || second === undefined ? null : halves.join(first, second)
    if (index !== null) writeIndex(where, index)
    return index !== null
  })
}

/** Rejects when all have ended. */
async function allOrNone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/** As git does. */
function writeIndex({ git_dir }: TreeLocation, index: Buffer): void {
  const lock = join(git_dir, 'index.lock')
  writeFileSync(lock, index, { flag: 'wx' })
  renameSync(lock, join(git_dir, 'index'))
}
