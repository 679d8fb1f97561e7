// Checks that a branch and its tree may be written now: the person works in that tree, and agents share its repository.

import { join } from 'node:path'
import { indexBusy, isIndexLocked } from '../../doors/git/index-lock.ts'
import { isGitDirOf } from '../../doors/git/linked-worktrees.ts'
import { readHeadFile, readLooseBranch } from '../../doors/git/read-head.ts'
import { readHeadRef, readTip } from '../../doors/git/read-tips.ts'
import { findWorkInProgress } from '../../doors/git/work-in-progress.ts'
import { lstatIfThere, pathExists, realPathIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { INTEGRATION_MARKER } from '../../model/markers.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'

/** Returns the branch's tip. Throws E_NOT_INTEGRATION_TREE, E_INTEGRATION_BUSY. */
export async function checkIntegrationTree(
  repository: Repository,
  worktree: WorktreeRecord,
): Promise<ObjectId> {
  requireTree(repository, worktree)
  refuseUnfinished(worktree)
  if (isIndexLocked(worktree.git_dir)) throw indexBusy(worktree.git_dir)
  return readOwnBranch(repository, worktree)
}

/** Throws E_INTEGRATION_BUSY where the person is in the middle of a merge, a rebase, a bisect. */
export function refuseUnfinished({ git_dir, tree_path }: WorktreeRecord): void {
  const begun = findWorkInProgress(git_dir)
  if (begun === null) return
  throw new AgencyError('E_INTEGRATION_BUSY', `${begun} is in progress in ${tree_path}`)
}

/** Throws E_NOT_INTEGRATION_TREE where the tree is not what our record says. */
export function requireTree({ git }: Repository, worktree: WorktreeRecord): void {
  const { tree_path, git_dir, name } = worktree
  const refuse = (why: string): never => {
    throw new AgencyError('E_NOT_INTEGRATION_TREE', `the tree of ${name} ${why}: ${tree_path}`)
  }
  if (lstatIfThere(tree_path)?.isDirectory() !== true) refuse('is missing')
  if (realPathIfThere(tree_path) !== tree_path) refuse('lies behind a symbolic link')
  if (!pathExists(join(tree_path, INTEGRATION_MARKER))) refuse('does not carry its marker')
  if (!isGitDirOf(git.commonDir, worktree) || !pathExists(join(git_dir, 'index')))
    refuse('is no longer known to git')
}

async function readOwnBranch({ git }: Repository, worktree: WorktreeRecord): Promise<ObjectId> {
  const onBranch = readHeadFile(worktree.git_dir) === `ref: ${branchRef(worktree)}`
  const own = onBranch ? readLooseBranch(git.commonDir, worktree.branch) : null
  if (own !== null) return own
  const ref = await readHeadRef(git.tree(worktree))
  const tip = ref === branchRef(worktree) ? await readTip(git.store, ref) : null
  if (tip !== null) return tip
  const missing = ref !== null && (await readTip(git.store, ref)) === null
  const where =
    ref === null ? 'a detached HEAD' : missing ? 'a missing branch' : ref.replace('refs/heads/', '')
  throw new AgencyError(
    'E_INTEGRATION_BUSY',
    `${worktree.tree_path} is on ${where} instead of ${worktree.branch}`,
    { hint: `go back there with: git switch ${worktree.branch}` },
  )
}

export const branchRef = ({ branch }: WorktreeRecord): string => `refs/heads/${branch}`
