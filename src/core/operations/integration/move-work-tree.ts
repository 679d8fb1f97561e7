// Has git move the person's tree, by a patch or by a two-way merge. Both check everything before they write anything.
// If something is in the way, the error names every file.

import { join } from 'node:path'
import type { Git, PreparedGit } from '../../doors/effects.ts'
import { explainBlocked } from '../../doors/git/blocked-path.ts'
import { beginNextIndex, nextIndex, nextPatch } from '../../doors/git/index-lock.ts'
import { lstatIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { rawFields, showRaw } from '../../model/raw-bytes.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { type Journal, writeJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { findMissingPaths, findObstacles } from './find-obstacles.ts'
import { makeNarrowTrees, type TreeMove } from './plan-tree-move.ts'

export interface MoveRequest {
  readonly repository: Repository
  readonly worktree: WorktreeRecord
  readonly move: TreeMove
}

/**
 * Prepares a git that works on the next index, so that the person's index stays as it is until the branch has moved.
 */
export async function prepareMove(request: MoveRequest): Promise<PreparedGit> {
  const { repository, worktree, move } = request
  if (!isPatched(worktree, move)) return prepareMerge(request)
  const index = nextIndex(worktree.git_dir)
  return repository.git.tree(worktree).prepare(['apply', '--index', nextPatch(worktree.git_dir)], { index })
}

/**
 * Whether `git apply` can do it. It saves reading and writing whole trees, but it is stricter than the merge: what it
 * refuses, the merge may still do. And it must not be used where it would write files that a sparse checkout leaves
 * out, or bring back files that the person has deleted.
 */
function isPatched({ tree_path, git_dir }: WorktreeRecord, { patch, changes }: TreeMove): boolean {
  const sparse = lstatIfThere(join(git_dir, 'info', 'sparse-checkout')) !== null
  return patch !== null && !sparse && findMissingPaths(tree_path, changes).length === 0
}

async function prepareMerge({ repository, worktree, move }: MoveRequest): Promise<PreparedGit> {
  const { from, to } = move.trees ?? (await makeNarrowTrees(repository, move.changes))
  const index = nextIndex(worktree.git_dir)
  return repository.git.tree(worktree).prepare(['read-tree', '-m', '-u', from, to], { index })
}

interface PreparedMove extends MoveRequest {
  readonly mover: PreparedGit
  readonly journal: Journal
}

/** If it throws what git said, the index and the branch have not changed. */
export async function moveWorkTree(request: PreparedMove): Promise<void> {
  if (request.move.changes.length === 0) return
  try {
    await request.mover.start()
  } catch (error) {
    if (!(error instanceof AgencyError) || error.code !== 'E_GIT_FAILED') throw error
    await moveAgain(request)
  }
}

/**
 * git also refuses for files that were touched but not changed, until their times are refreshed. That reads up to
 * 100,000 files, so it is done only now.
 */
async function moveAgain({ repository, worktree, move, journal }: PreparedMove): Promise<void> {
  const index = beginNextIndex(worktree.git_dir)
  await repository.git.tree(worktree).run(['update-index', '-q', '--refresh'], { index, answers: [1] })
  const mover = await prepareMerge({ repository, worktree, move })
  try {
    const writers = [...journal.writers, repository.effects.processes.identityOf(mover.pid) ?? []].flat()
    await writeJournal(repository.paths, { ...journal, writers })
    await mover.start()
  } finally {
    mover.abandon()
  }
}

interface MoveFailure {
  readonly worktree: WorktreeRecord
  readonly move: TreeMove
  readonly error: unknown
}

/** E_WOULD_OVERWRITE or E_TREE_UNWRITABLE if files of the person's were the reason; otherwise the error itself. */
export async function explainRefusal(
  repository: Repository,
  { worktree, move, error }: MoveFailure,
): Promise<unknown> {
  const blocked = explainBlocked(worktree.tree_path, error)
  if (blocked !== error) return blocked
  if (!(error instanceof AgencyError) || error.code !== 'E_GIT_FAILED') return error
  const own = await readOwnEdits(repository.git.tree(worktree), move)
  const obstacles = findObstacles(worktree.tree_path, move.changes)
  const files = [...new Set([...own, ...obstacles, ...namedByGit(error)])].sort()
  return files.length === 0 ? error : wouldOverwrite(worktree, files)
}

export function refuseOverwrite(worktree: WorktreeRecord, files: readonly string[]): void {
  if (files.length > 0) throw wouldOverwrite(worktree, files)
}

function wouldOverwrite({ name, tree_path }: WorktreeRecord, files: readonly string[]): AgencyError {
  const named = files.slice(0, 10).join(', ')
  const more = files.length > 10 ? ` and ${files.length - 10} more` : ''
  return new AgencyError(
    'E_WOULD_OVERWRITE',
    `these files in ${name} have changes of your own: ${named}${more}`,
    { details: { files, tree_path } },
  )
}

/** The first file that git names. An edit that the index is told not to see can be found by this alone. */
const namedByGit = (error: AgencyError): string[] =>
  /^error: .*'(.+)' (?:not uptodate|would be (?:overwritten|removed))/m
    .exec(String(error.details['stderr']))
    ?.slice(1) ?? []

/**
 * Edits of the person's, staged or not. git does not look into nested repositories, whose configuration is not trusted.
 */
async function readOwnEdits(git: Git, move: TreeMove): Promise<string[]> {
  const args = ['diff-index', '--name-only', '--no-renames', '--ignore-submodules=dirty', '-z', move.from]
  const edited = new Set(rawFields((await git.run(args)).stdout))
  return move.changes
    .map((change) => change.path)
    .filter((path) => edited.has(path))
    .map(showRaw)
}
