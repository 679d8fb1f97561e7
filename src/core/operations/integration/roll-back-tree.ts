// Takes back what a killed or failed write has left in an integration tree. Touches a path only if it is proved to be
// that write's: it is absent, or it holds the new bytes or their beginning and was changed after we began. The index is
// still the old one, with the person's staged edits in it.

import { closeSync, lstatSync, openSync, readlinkSync, readSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from '../../doors/effects.ts'
import { readTreeChanges } from '../../doors/git/compare-trees.ts'
import { beginNextIndex, placeNextIndex } from '../../doors/git/index-lock.ts'
import { isErrno } from '../../doors/system/files.ts'
import { parentsOf, rawPath, statAt } from '../../doors/system/raw-paths.ts'
import { inScratchDirectory } from '../../doors/system/scratch-directory.ts'
import { rawFields, rawInput } from '../../model/raw-bytes.ts'
import { GITLINK_MODE, type RawChange } from '../../model/raw-diff.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Journal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { isThereAfter, wasThereBefore } from './plan-tree-move.ts'

/** The caller holds the index lock. */
export async function rollBackTree(
  repository: Repository,
  worktree: WorktreeRecord,
  journal: Journal,
): Promise<void> {
  const git = repository.git.tree(worktree)
  const all = await readTreeChanges(repository, journal.from, journal.to)
  const staged = await readStaged(git, journal.from)
  const changes = all.filter((change) => !staged.has(change.path))
  await inScratchDirectory(repository.paths.dir, 'expected', async (expected) => {
    await writeExpected(repository, { worktree, journal, expected, changes })
    const place: RollBackPlace = { tree: worktree.tree_path, expected, begun: journal.begun_at }
    for (const change of changes.filter((c) => !wasThereBefore(c))) removeOurs(place, change.path)
    const missing = new Set(journal.missing)
    const back = changes.filter(
      (change) => wasThereBefore(change) && !missing.has(change.path) && mayRestore(place, change),
    )
    await restorePaths(
      git,
      worktree.git_dir,
      back.map((change) => change.path),
    )
  })
}

async function readStaged(git: Git, from: string): Promise<ReadonlySet<string>> {
  const listed = await git.run(['diff-index', '--cached', '--name-only', '--no-renames', '-z', from])
  return new Set(rawFields(listed.stdout))
}

interface Expectation {
  readonly worktree: WorktreeRecord
  readonly journal: Journal
  readonly expected: string
  readonly changes: readonly RawChange[]
}

/** Writes, into a directory of ours, the very bytes that git was writing, with filters and line endings applied. */
async function writeExpected(repository: Repository, request: Expectation): Promise<void> {
  const { worktree, journal, expected, changes } = request
  const git = repository.git.tree({ tree_path: expected, git_dir: worktree.git_dir })
  const index = join(repository.paths.dir, 'expected-index')
  rmSync(`${index}.lock`, { force: true })
  await git.run(['read-tree', journal.to], { index })
  const input = rawInput(changes.filter(isThereAfter).map((change) => change.path))
  await git.run(['checkout-index', '-f', '-z', '--stdin'], { index, input })
  rmSync(index, { force: true })
}

interface RollBackPlace {
  readonly tree: string
  readonly expected: string
  readonly begun: number
}

function removeOurs(place: RollBackPlace, path: string): void {
  if (!isOurs(place, path)) return
  rmSync(rawPath(place.tree, path), { recursive: true, force: true })
  for (const parent of parentsOf(path).reverse()) {
    if (!removeIfEmpty(rawPath(place.tree, parent))) return
  }
}

function removeIfEmpty(path: Buffer): boolean {
  try {
    rmdirSync(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY') || isErrno(error, 'EEXIST') || isErrno(error, 'ENOTDIR')) return false
    if (isErrno(error, 'ENOENT')) return true
    throw error
  }
}

function mayRestore(place: RollBackPlace, { path, old_mode }: RawChange): boolean {
  const stat = statAt(place.tree, path)
  if (stat !== null) return old_mode !== GITLINK_MODE && isOurs(place, path)
  return parentsOf(path).every((parent) => statAt(place.tree, parent)?.isDirectory() ?? true)
}

/** The kernel's file times lag behind its clock by up to one tick. */
const TICK = 20

function isOurs({ tree, expected, begun }: RollBackPlace, path: string): boolean {
  const here = statAt(tree, path)
  const there = statAt(expected, path)
  if (here === null || there === null || here.ctimeMs < begun - TICK) return false
  if (here.isSymbolicLink()) {
    const target = (root: string): Buffer => readlinkSync(rawPath(root, path), { encoding: 'buffer' })
    return there.isSymbolicLink() && target(tree).equals(target(expected))
  }
  if (here.isDirectory()) return there.isDirectory()
  return here.isFile() && there.isFile() && beginsAlike(rawPath(tree, path), rawPath(expected, path))
}

const CHUNK = 1 << 16

/** Whether the first file has the same bytes as the beginning of the second. */
function beginsAlike(short: Buffer, long: Buffer): boolean {
  if (lstatSync(short).size > lstatSync(long).size) return false
  const files = [openSync(short, 'r'), openSync(long, 'r')] as const
  try {
    const [a, b] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)]
    for (;;) {
      const read = readSync(files[0], a, 0, CHUNK, null)
      readSync(files[1], b, 0, read === 0 ? 1 : read, null)
      if (read === 0) return true
      if (!a.subarray(0, read).equals(b.subarray(0, read))) return false
    }
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Writes .gitattributes files first, because they decide how the other files are written. */
async function restorePaths(git: Git, gitDir: string, paths: readonly string[]): Promise<void> {
  const index = beginNextIndex(gitDir)
  const isAttributes = (path: string): boolean => /(^|\/)\.gitattributes$/.test(path)
  for (const some of [paths.filter(isAttributes), paths.filter((path) => !isAttributes(path))]) {
    if (some.length === 0) continue
    await git.run(['checkout-index', '-f', '-u', '-z', '--stdin'], { index, input: rawInput(some) })
  }
  placeNextIndex(gitDir)
}
