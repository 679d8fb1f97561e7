// Checks that a branch and its tree may be written now: the person works in that tree, and agents share its repository.

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { indexBusy, isIndexLocked } from '../../doors/git/index-lock.ts'
import { isGitDirOf } from '../../doors/git/linked-worktrees.ts'
import { readHeadFile, readLooseBranch } from '../../doors/git/read-head.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { INTEGRATION_MARKER } from '../../model/markers.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'

const IN_PROGRESS: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  sequencer: 'a sequence of picks',
  BISECT_LOG: 'a bisect',
}

/** Returns the branch's tip. Throws E_NOT_INTEGRATION_TREE, E_INTEGRATION_BUSY. */
export async function checkIntegrationTree(
  repository: Repository,
  worktree: WorktreeRecord,
): Promise<ObjectId> {
  requireTree(repository, worktree)
  for (const [file, what] of Object.entries(IN_PROGRESS)) {
    if (existsSync(join(worktree.git_dir, file))) {
      throw new AgencyError('E_INTEGRATION_BUSY', `${what} is in progress in ${worktree.tree_path}`)
    }
  }
  if (isIndexLocked(worktree.git_dir)) throw indexBusy(worktree.git_dir)
  return readOwnBranch(repository, worktree)
}

/** Throws E_NOT_INTEGRATION_TREE where the tree is not what our record says. */
export function requireTree({ git }: Repository, worktree: WorktreeRecord): void {
  const { tree_path, git_dir, name } = worktree
  const refuse = (why: string): never => {
    throw new AgencyError('E_NOT_INTEGRATION_TREE', `the tree of ${name} ${why}: ${tree_path}`)
  }
  if (lstatSync(tree_path, { throwIfNoEntry: false })?.isDirectory() !== true) refuse('is missing')
  if (realpathSync(tree_path) !== tree_path) refuse('lies behind a symbolic link')
  if (!existsSync(join(tree_path, INTEGRATION_MARKER))) refuse('does not carry its marker')
  if (!isGitDirOf(git.commonDir, worktree) || !existsSync(join(git_dir, 'index')))
    refuse('is no longer known to git')
}

async function readOwnBranch({ git }: Repository, worktree: WorktreeRecord): Promise<ObjectId> {
  const onBranch = readHeadFile(worktree.git_dir) === `ref: ${branchRef(worktree)}`
  const own = onBranch ? readLooseBranch(git.commonDir, worktree.branch) : null
  if (own !== null) return own
  const asked = await git
    .tree(worktree)
    .run(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'], { answers: [128] })
  const [tip = '', ref = ''] = asked.stdout.toString('utf8').split('\n')
  if (asked.exitCode === 0 && ref === branchRef(worktree)) return parseObjectId(tip)
  const where = ref === 'HEAD' ? 'a detached HEAD' : ref.replace('refs/heads/', '') || 'a missing branch'
  throw new AgencyError(
    'E_INTEGRATION_BUSY',
    `${worktree.tree_path} is on ${where} instead of ${worktree.branch}`,
    { hint: `go back there with: git switch ${worktree.branch}` },
  )
}

export const branchRef = ({ branch }: WorktreeRecord): string => `refs/heads/${branch}`
