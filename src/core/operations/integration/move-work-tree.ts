// git moves the person's tree, by a patch or by a two-way merge. Either checks everything before it writes anything; what
// is in the way is put into words here, with every file named.

import { join } from 'node:path'
import type { Git, PreparedGit } from '../../doors/effects.ts'
import { beginNextIndex, nextIndex, nextPatch } from '../../doors/git/index-lock.ts'
import { lstatIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { rawFields, showRaw } from '../../model/raw-bytes.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { type Journal, writeJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { findMissing, findObstacles } from './find-obstacles.ts'
import { makeNarrowTrees, type TreeMove } from './plan-tree-move.ts'

export interface MoveRequest {
  readonly repository: Repository
  readonly worktree: WorktreeRecord
  readonly move: TreeMove
}

/** It works on the next index, so that the person's stays as it is until the branch has moved. */
export async function prepareMove(request: MoveRequest): Promise<PreparedGit> {
  const { repository, worktree, move } = request
  if (!isPatched(worktree, move)) return prepareMerge(request)
  const index = nextIndex(worktree.git_dir)
  return repository.git.tree(worktree).prepare(['apply', '--index', nextPatch(worktree.git_dir)], { index })
}

/**
 * `git apply` is the stricter one, and saves reading and writing trees of everything: what it refuses, the merge may
 * still do. It would write files that the index holds back, and bring back those that the person deleted.
 */
function isPatched({ tree_path, git_dir }: WorktreeRecord, { patch, changes }: TreeMove): boolean {
  const sparse = lstatIfThere(join(git_dir, 'info', 'sparse-checkout')) !== null
  return patch !== null && !sparse && findMissing(tree_path, changes).length === 0
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

/** Throws what git said; the index and the branch have not changed then. */
export async function moveWorkTree(request: PreparedMove): Promise<void> {
  if (request.move.changes.length === 0) return
  try {
    await request.mover.start()
  } catch (error) {
    if (!(error instanceof AgencyError) || error.code !== 'E_GIT_FAILED') throw error
    await moveAgain(request)
  }
}

/** Files that were touched but not changed make git refuse, until it has looked at them: all 100,000, so only now. */
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

interface Failure {
  readonly worktree: WorktreeRecord
  readonly move: TreeMove
  readonly error: unknown
}

/** E_WOULD_OVERWRITE where the person's own files were the reason, else the error itself. */
export async function explainRefusal(
  repository: Repository,
  { worktree, move, error }: Failure,
): Promise<unknown> {
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

/** The first file that stopped it; the only way to know of an edit that the index is told not to see. */
const namedByGit = (error: AgencyError): string[] =>
  /^error: .*'(.+)' (?:not uptodate|would be (?:overwritten|removed))/m
    .exec(String(error.details['stderr']))
    ?.slice(1) ?? []

/** Staged or not. git does not look into nested repositories, whose configuration is not trusted. */
async function readOwnEdits(git: Git, move: TreeMove): Promise<string[]> {
  const args = ['diff-index', '--name-only', '--no-renames', '--ignore-submodules=dirty', '-z', move.from]
  const edited = new Set(rawFields((await git.run(args)).stdout))
  return move.changes
    .map((change) => change.path)
    .filter((path) => edited.has(path))
    .map(showRaw)
}
