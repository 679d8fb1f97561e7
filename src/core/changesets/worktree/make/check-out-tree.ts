// Fills a registered tree with the files of its commit. Creating the files takes the longest, and git does it in one
// process. git's own workers (checkout.workers) do not help: they are told of each file through a pipe and answer for
// each, which costs what they save. So two gits write half of a large tree each.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import { readIfRegular } from '../../../doors/system/files.ts'
import { INDEX_BOUNDS, readRegularFile } from '../../../doors/system/regular-file.ts'
import { inScratchDirectory } from '../../../doors/system/scratch-directory.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { type Halves, halveIndex } from '../../../model/index-halves.ts'
import { MARKER_DIR } from '../../../model/markers.ts'
import { rawBytes } from '../../../model/raw-bytes.ts'

export interface CheckOut {
  readonly commit: ObjectId
  /** An existing directory of ours. */
  readonly scratchDir: string
  /** The git directory of a tree whose index probably is that of this commit: then it need not be made. */
  readonly likely?: string
}

/** null where one git is to write the whole tree. If something is wrong, that git will say what. */
export type Halving = Promise<Halves | null>

/** In bytes, about the index of a thousand files. With a smaller likely index, two gits are not worth it. */
const LEAST_INDEX = 72_000

/**
 * May be called before the tree exists. The likely index may turn out to be of another commit. Each git is told the
 * commit, and leaves the other's half alone only if it is as in the commit. So we notice once both have written their
 * files.
 */
export async function halveCommit(git: RepositoryGit, wanted: CheckOut): Halving {
  // The caller starts the git that adds the tree at the same time; it takes longer, so it goes first.
  await new Promise(setImmediate)
  const likely = wanted.likely === undefined ? null : readIndexOf(wanted.likely)
  if (likely !== null && likely.length < LEAST_INDEX) return null
  const halves = halve(likely, wanted)
  return halves?.settled === true ? halves : halve(await makeIndex(git, wanted), wanted)
}

/** null where there is none, or something else. */
const readIndexOf = (dir: string): Buffer | null => readIfRegular(join(dir, 'index'), INDEX_BOUNDS)

const halve = (index: Buffer | null, { commit }: CheckOut): Halves | null =>
  index === null ? null : halveIndex(index, { objectSize: commit.length / 2, occupied: MARKER_DIR })

const makeIndex = ({ store }: RepositoryGit, { commit, scratchDir }: CheckOut): Promise<Buffer | null> =>
  inScratchDirectory(scratchDir, 'indexes', async (dir) => {
    const index = join(dir, 'index')
    const read = await store.run(['read-tree', commit], { index, answers: [128] })
    return read.exitCode === 0 ? readIndexOf(dir) : null
  })

export interface PreparedCheckOut extends CheckOut {
  readonly halving: Halving
}

/** Nothing may be in the tree but our marker. If it rejects, nobody is writing there any more. */
export async function checkOutTree(
  git: RepositoryGit,
  where: TreeLocation,
  prepared: PreparedCheckOut | null = null,
): Promise<void> {
  if (prepared !== null && (await writeInHalves(git.tree(where), where, prepared))) return
  await git.tree(where).run(['-c', 'checkout.workers=2', 'reset', '--quiet', '--hard'])
}

/** False where some files are to be left out, or where two names of the index can be one file. */
const isOrdinaryTree = ({ tree_path, git_dir }: TreeLocation): boolean =>
  !existsSync(join(git_dir, 'info/sparse-checkout')) && !existsSync(join(tree_path, '.GIT'))

/** False where there are no halves or writing them failed; whatever was written is then overwritten. */
async function writeInHalves(git: Git, where: TreeLocation, prepared: PreparedCheckOut): Promise<boolean> {
  const halves = await prepared.halving
  if (halves === null || !isOrdinaryTree(where)) return false
  // When both gits make the same directory at the same moment, the second gives up: so we make those directories first.
  for (const path of halves.shared)
    mkdirSync(Buffer.concat([Buffer.from(`${where.tree_path}/`), rawBytes(path)]))
  return inScratchDirectory(prepared.scratchDir, 'indexes', async (dir) => {
    const written = halves.indexes.map(async (half, at) => {
      const index = join(dir, `half-${at}`)
      writeFileSync(index, half)
      const command = ['-c', 'checkout.workers=1', 'read-tree', '-m', '-u', prepared.commit]
      await git.run(command, { index })
      return readRegularFile(index, INDEX_BOUNDS)
    })
    const [first, second] = await Promise.allSettled(written)
    if (first?.status !== 'fulfilled' || second?.status !== 'fulfilled') return false
    if (first.value === null || second.value === null) return false
    const index = halves.join(first.value, second.value)
    if (index !== null) writeIndex(where, index)
    return index !== null
  })
}

/** The way git does it: by a lock that is renamed. */
function writeIndex({ git_dir }: TreeLocation, index: Buffer): void {
  const lock = join(git_dir, 'index.lock')
  writeFileSync(lock, index, { flag: 'wx' })
  renameSync(lock, join(git_dir, 'index'))
}
