// Makes git directories of our own for a moment: a copy of a tree's index and nothing else of its administration. So
// reading a tree takes no lock of the agent's, and git reads nothing that the agent could have planted there.

import { createHash } from 'node:crypto'
import { chmodSync, constants, copyFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from '../effects.ts'
import { FILE_MODE, listNames } from '../system/files.ts'
import {
  INDEX_BOUNDS,
  oddityAt,
  readRange,
  readRegularFile,
  withRegularFile,
} from '../system/regular-file.ts'
import { inScratchDirectory } from '../system/scratch-directory.ts'

export interface ScratchRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  /** An existing directory of ours. */
  readonly scratchDir: string
  /** What the private HEAD says: a commit, or `ref: ` and a branch. */
  readonly head: string
}

export interface Scratch extends EmptyScratch {
  readonly git: Git
  /** The bytes of the tree's own index; null where it has none. */
  readIndex(): Buffer | null
}

/** Runs `work` with git on the tree, using a private copy of its index. The copy is deleted afterwards. */
export function withScratchIndex<T>(
  request: ScratchRequest,
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  return withEmptyScratch(request, async ({ dir, bind }) => {
    const git = bind(request.where.tree_path)
    const copied = await seedIndex(git, request.where.git_dir, dir)
    const readIndex = () => (copied ? readRegularFile(join(dir, 'index'), INDEX_BOUNDS) : null)
    return await work({ git, dir, bind, readIndex })
  })
}

/** The same without any index, for questions that need none: git would read all of it. */
export const withoutIndex = <T>(request: ScratchRequest, work: (git: Git) => Promise<T>): Promise<T> =>
  withEmptyScratch(request, ({ bind }) => work(bind(request.where.tree_path)))

export interface EmptyScratch {
  readonly dir: string
  /** Binds git to a directory that is not a work tree of anything yet, with the private index. */
  bind(tree: string): Git
}

/** Runs `work` with a git directory that has no index yet. It is deleted afterwards. */
export function withEmptyScratch<T>(
  { git, scratchDir, head }: Omit<ScratchRequest, 'where'>,
  work: (scratch: EmptyScratch) => Promise<T>,
): Promise<T> {
  return inScratchDirectory(scratchDir, 'capture', async (dir) => {
    writeFileSync(join(dir, 'HEAD'), `${head}\n`, { mode: FILE_MODE })
    // This is where git looks for refs, and nowhere else.
    writeFileSync(join(dir, 'commondir'), `${git.commonDir}\n`, { mode: FILE_MODE })
    return await work({ dir, bind: (tree_path) => git.tree({ tree_path, git_dir: dir }) })
  })
}

/**
 * Copies the tree's index. Where the tree has none, or an agent has put something else there, fills the copy from HEAD
 * and returns false.
 */
async function seedIndex(git: Git, gitDir: string, scratch: string): Promise<boolean> {
  const own = join(gitDir, 'index')
  if (oddityAt(own, INDEX_BOUNDS) !== null || !copyIndex(own, join(scratch, 'index'))) {
    await seedFromHead(git)
    return false
  }
  for (const name of listNames(gitDir).filter((entry) => entry.startsWith('sharedindex.'))) {
    copyIndex(join(gitDir, name), join(scratch, name))
  }
  return true
}

export async function seedFromHead(git: Git): Promise<void> {
  await git.run(['read-tree', 'HEAD'])
}

/** Checks the checksum, which git itself does not do. All zeros mean that the index was written without one. */
export function isWholeIndex(index: Buffer, objectSize: number): boolean {
  const said = index.subarray(-objectSize)
  const algorithm = objectSize === 32 ? 'sha256' : 'sha1'
  const found = createHash(algorithm).update(index.subarray(0, -objectSize)).digest()
  return said.equals(found) || said.every((byte) => byte === 0)
}

/**
 * The copy keeps the time of the index. A newer time would make git believe entries that were staged in the same moment
 * as a later edit, and lose that edit. The time is rounded down: at worst git looks at a file twice. False where there is
 * no index. Throws E_FILE_UNREADABLE where something else lies there.
 */
export const copyIndex = (from: string, to: string): boolean =>
  withRegularFile(from, INDEX_BOUNDS, ({ fd, stats }) => {
    const seconds = Math.floor(stats.mtimeMs) / 1000
    copyOpened(fd, to, stats.size)
    chmodSync(to, FILE_MODE)
    utimesSync(to, seconds, seconds)
    return true
  }) ?? false

/** Where it can, the kernel copies, so that ten megabytes need not pass through our memory. */
function copyOpened(fd: number, to: string, size: number): void {
  if (process.platform === 'linux') copyFileSync(`/proc/self/fd/${fd}`, to, constants.COPYFILE_EXCL)
  else writeFileSync(to, readRange(fd, 0, size), { flag: 'wx' })
}
