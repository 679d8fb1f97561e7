// Git directories of our own for one moment: a copy of a tree's index with nothing else of its administration, so that
// reading a tree takes no lock of the agent's and reads nothing there that the agent could have planted.

import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  fstatSync,
  futimesSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from './effects.ts'
import { FILE_MODE, isErrno, listNames } from './files.ts'
import { makeScratchDirectory } from './scratch-directory.ts'

export interface ScratchRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  /** An existing directory of ours. */
  readonly scratchDir: string
  /** What the private HEAD says: a commit, or `ref: ` and a branch. */
  readonly head: string
}

/** Runs `work` with git on the tree, whose index is a private copy, and with its bytes. The copy is gone afterwards. */
export function withScratchIndex<T>(
  request: ScratchRequest,
  work: (git: Git, index: Buffer | null, dir: string) => Promise<T>,
): Promise<T> {
  return withEmptyScratch(request, async ({ dir, bind }) => {
    const git = bind(request.where.tree_path)
    return await work(git, await seedIndex(git, request.where.git_dir, dir), dir)
  })
}

/** The same without any index: for questions that need none, and would have git read all of it. */
export const withoutIndex = <T>(request: ScratchRequest, work: (git: Git) => Promise<T>): Promise<T> =>
  withEmptyScratch(request, ({ bind }) => work(bind(request.where.tree_path)))

export interface EmptyScratch {
  readonly dir: string
  /** git on a directory that is not yet a work tree of anything, with the private index. */
  bind(tree: string): Git
}

/** Runs `work` with a git directory that has no index yet. It is gone afterwards. */
export async function withEmptyScratch<T>(
  { git, scratchDir, head }: Omit<ScratchRequest, 'where'>,
  work: (scratch: EmptyScratch) => Promise<T>,
): Promise<T> {
  const dir = makeScratchDirectory(scratchDir, 'capture')
  try {
    writeFileSync(join(dir, 'HEAD'), `${head}\n`, { mode: FILE_MODE })
    // git looks for refs where this says, and nowhere else.
    writeFileSync(join(dir, 'commondir'), `${git.commonDir}\n`, { mode: FILE_MODE })
    return await work({ dir, bind: (tree_path) => git.tree({ tree_path, git_dir: dir }) })
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** null, and HEAD's, where the tree has no index. */
async function seedIndex(git: Git, gitDir: string, scratch: string): Promise<Buffer | null> {
  const index = copyIndex(join(gitDir, 'index'), join(scratch, 'index'))
  if (index === null) {
    await seedFromHead(git)
    return null
  }
  for (const name of listNames(gitDir).filter((entry) => entry.startsWith('sharedindex.'))) {
    copyFileSync(join(gitDir, name), join(scratch, name))
  }
  return index
}

export async function seedFromHead(git: Git): Promise<void> {
  await git.run(['read-tree', 'HEAD'])
}

/** git itself does not check, and makes of a damaged index what it may. All zeros: written without a checksum. */
export function isWholeIndex(index: Buffer, objectSize: number): boolean {
  const said = index.subarray(-objectSize)
  const algorithm = objectSize === 32 ? 'sha256' : 'sha1'
  const found = createHash(algorithm).update(index.subarray(0, -objectSize)).digest()
  return said.equals(found) || said.every((byte) => byte === 0)
}

/**
 * The copy keeps the time of the index: a newer one would make git trust entries that were staged within the same
 * moment as a later edit, and lose that edit. Rounded down, which only makes git look twice. null where there is none.
 */
export function copyIndex(from: string, to: string): Buffer | null {
  let source: number
  try {
    source = openSync(from, 'r')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
  try {
    const seconds = Math.floor(fstatSync(source).mtimeMs) / 1000
    const index = readFileSync(source)
    const copy = openSync(to, 'wx', FILE_MODE)
    try {
      writeFileSync(copy, index)
      futimesSync(copy, seconds, seconds)
    } finally {
      closeSync(copy)
    }
    return index
  } finally {
    closeSync(source)
  }
}
