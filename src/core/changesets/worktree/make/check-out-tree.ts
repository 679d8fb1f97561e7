// Fills a registered tree with the files of its commit. What takes long is to create the files, and git does that in one
// process: the workers that it offers (checkout.workers) are told of each file by a pipe and answer for each, which costs
// what they save. So two gits write half of a large tree each.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import { readFileIfThere } from '../../../doors/system/files.ts'
import { inScratchDirectory } from '../../../doors/system/scratch-directory.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { type Halves, halveIndex } from '../../../model/index-halves.ts'
import { MARKER_DIR } from '../../../model/markers.ts'
import { rawBytes } from '../../../model/raw-bytes.ts'

export interface CheckOut {
  readonly commit: ObjectId
  /** An existing directory of ours. */
  readonly scratchDir: string
  /** The git directory of a tree whose index is likely to be of just this commit, and need not be made then. */
  readonly likely?: string
}

/** null where one git is to write all of it; what is wrong will be said by that one. */
export type Halving = Promise<Halves | null>

/** In bytes; about that of a thousand files. A commit whose likely index is smaller is not worth two gits. */
const LEAST_INDEX = 72_000

/**
 * May be done before the tree is there. That the likely index is of another commit after all is seen when the two have
 * written their files: each is told the commit, and leaves the other's half alone only where it is that of the commit.
 */
export async function halveCommit(git: RepositoryGit, wanted: CheckOut): Halving {
  // Whoever adds the tree beside this starts that git first: it takes longer.
  await new Promise(setImmediate)
  const likely = wanted.likely === undefined ? null : readFileIfThere(join(wanted.likely, 'index'))
  if (likely !== null && likely.length < LEAST_INDEX) return null
  const halves = halve(likely, wanted)
  return halves?.settled === true ? halves : halve(await makeIndex(git, wanted), wanted)
}

const halve = (index: Buffer | null, { commit }: CheckOut): Halves | null =>
  index === null ? null : halveIndex(index, { objectSize: commit.length / 2, occupied: MARKER_DIR })

const makeIndex = ({ store }: RepositoryGit, { commit, scratchDir }: CheckOut): Promise<Buffer | null> =>
  inScratchDirectory(scratchDir, 'indexes', async (dir) => {
    const path = join(dir, 'index')
    const read = await store.run(['read-tree', commit], { index: path, answers: [128] })
    return read.exitCode === 0 ? readFileSync(path) : null
  })

export interface PreparedCheckOut extends CheckOut {
  readonly halving: Halving
}

/** Nothing is in the tree yet but our marker. When this rejects, nobody writes there any more. */
export async function checkOutTree(
  git: RepositoryGit,
  where: TreeLocation,
  prepared: PreparedCheckOut | null = null,
): Promise<void> {
  if (prepared !== null && (await writeInHalves(git.tree(where), where, prepared))) return
  await git.tree(where).run(['-c', 'checkout.workers=2', 'reset', '--quiet', '--hard'])
}

/** Not so: a part of the files is to be left out, or two names of the index can be one file. */
const isOrdinary = ({ tree_path, git_dir }: TreeLocation): boolean =>
  !existsSync(join(git_dir, 'info/sparse-checkout')) && !existsSync(join(tree_path, '.GIT'))

/** False where there are no halves, or it went wrong: whatever they wrote is written over then. */
async function writeInHalves(git: Git, where: TreeLocation, prepared: PreparedCheckOut): Promise<boolean> {
  const halves = await prepared.halving
  if (halves === null || !isOrdinary(where)) return false
  // Whoever of the two comes second to a directory that the first one has made in this moment gives up.
  for (const path of halves.shared)
    mkdirSync(Buffer.concat([Buffer.from(`${where.tree_path}/`), rawBytes(path)]))
  return inScratchDirectory(prepared.scratchDir, 'indexes', async (dir) => {
    const written = halves.indexes.map(async (half, at) => {
      const index = join(dir, `half-${at}`)
      writeFileSync(index, half)
      const command = ['-c', 'checkout.workers=1', 'read-tree', '-m', '-u', prepared.commit]
      await git.run(command, { index })
      return readFileSync(index)
    })
    const [first, second] = await Promise.allSettled(written)
    if (first?.status !== 'fulfilled' || second?.status !== 'fulfilled') return false
    const index = halves.join(first.value, second.value)
    if (index !== null) writeIndex(where, index)
    return index !== null
  })
}

/** As git does. */
function writeIndex({ git_dir }: TreeLocation, index: Buffer): void {
  const lock = join(git_dir, 'index.lock')
  writeFileSync(lock, index, { flag: 'wx' })
  renameSync(lock, join(git_dir, 'index'))
}
