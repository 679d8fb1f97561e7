// Takes back what a killed or failed write has left in an integration tree. Touches a path only if it is proved to be
// that write's: it is absent, or it holds the new bytes or their beginning and was changed after we began. The index is
// still the old one, with the person's staged edits in it.

import { join } from 'node:path'
import type { Git } from '../../doors/effects.ts'
import { readTreeChanges } from '../../doors/git/compare-trees.ts'
import { beginNextIndex, placeNextIndex } from '../../doors/git/index-lock.ts'
import { deletePath } from '../../doors/system/files.ts'
import { deleteFromTree, parentsOf, rawPath, statAt } from '../../doors/system/raw-paths.ts'
import { inScratchDirectory } from '../../doors/system/scratch-directory.ts'
import { isWrittenInPart } from '../../doors/system/written-in-part.ts'
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
    for (const { path } of changes.filter((change) => !wasThereBefore(change)))
      if (isOurs(place, path)) deleteFromTree(place.tree, path)
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
  deletePath(`${index}.lock`)
  await git.run(['read-tree', journal.to], { index })
  const input = rawInput(changes.filter(isThereAfter).map((change) => change.path))
  await git.run(['checkout-index', '-f', '-z', '--stdin'], { index, input })
  deletePath(index)
}

interface RollBackPlace {
  readonly tree: string
  readonly expected: string
  readonly begun: number
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
  if (here === null || here.ctimeMs < begun - TICK) return false
  return isWrittenInPart(rawPath(tree, path), rawPath(expected, path))
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
