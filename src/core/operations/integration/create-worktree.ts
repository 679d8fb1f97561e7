// Makes an integration worktree: a new branch off the parent, a directory with its files, our marker, and a record.

import { checkOutTree, halveCommit } from '../../changesets/worktree/make/check-out-tree.ts'
import { stampFilled } from '../../changesets/worktree/make/filled-stamp.ts'
import { checkTreePath } from '../../changesets/worktree/proof/check-tree-path.ts'
import { writeMarker } from '../../changesets/worktree/proof/marker.ts'
import type { TreeLocation } from '../../doors/effects.ts'
import { bindGit } from '../../doors/git/git.ts'
import { NO_READS } from '../../doors/git/git-reads.ts'
import { addTree, removeAddedTree } from '../../doors/git/linked-worktrees.ts'
import { readHeadRef } from '../../doors/git/read-tips.ts'
import { inSteps, type RunStep } from '../../doors/steps.ts'
import { makeDir, realPathIfThere, speakOurErrors } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseWorktreeId } from '../../model/ids.ts'
import { INTEGRATION_MARKER } from '../../model/markers.ts'
import { checkWorktreeName, integrationBranch, type WorktreeRecord } from '../../model/worktree.ts'
import { type Repository, touchRepository } from '../../store/repository.ts'
import { listWorktrees, writeWorktree } from '../../store/worktrees.ts'
import { claimId } from '../sandboxes/claim-id.ts'

export interface WantedWorktree {
  readonly name: string
  /** A local branch. Default: the branch that is checked out at `cwd`. */
  readonly parent?: string | undefined
  readonly cwd: string
}

/**
 * Throws E_NAME_INVALID, E_NAME_TAKEN, E_BRANCH_NOT_FOUND, E_HEAD_DETACHED, E_REPOSITORY_EMPTY; then nothing is left
 * behind.
 */
export async function createWorktree(
  repository: Repository,
  wanted: WantedWorktree,
): Promise<WorktreeRecord> {
  checkWorktreeName(wanted.name)
  const parent = wanted.parent ?? (await currentBranch(repository, wanted.cwd))
  const start = await branchTip(repository, parent)
  await makeDir(repository.paths.worktreesDir)
  return await inSteps(repository.effects, async (step) => {
    const record = await repository.locked(() =>
      register(repository, { name: wanted.name, parent, start }, step),
    )
    await step({
      name: 'check out the worktree',
      run: async () => {
        const { git, paths } = repository
        const checkOut = { commit: start, scratchDir: paths.dir }
        await checkOutTree(git, locationOf(record), { ...checkOut, halving: halveCommit(git, checkOut) })
        stampFilled(record.tree_path)
      },
    })
    return record
  })
}

export const locationOf = (record: { tree_path: string; git_dir: string }): TreeLocation => ({
  tree_path: record.tree_path,
  git_dir: record.git_dir,
})

interface Parentage {
  readonly name: string
  readonly parent: string
  readonly start: ObjectId
}

async function register(repository: Repository, from: Parentage, step: RunStep): Promise<WorktreeRecord> {
  const { paths, git, effects } = repository
  if (listWorktrees(paths).some((other) => other.state === 'present' && other.name === from.name)) {
    throw new AgencyError('E_NAME_TAKEN', `a worktree called '${from.name}' exists already`)
  }
  const id = parseWorktreeId(await claimId(repository, (claimed) => paths.worktree(claimed).dir, step))
  const at = paths.worktree(id)
  checkTreePath(repository, at.tree)
  const tree = { tree_path: at.tree, branch: integrationBranch(from.name, id), start: from.start }
  const gitDir = await step({
    name: 'add the git worktree',
    run: () => addTree(git, tree),
    undo: () => removeAddedTree(git, tree),
  })
  await step({
    name: 'write the integration marker',
    run: () => speakOurErrors(at.tree, async () => writeMarker(at.tree, INTEGRATION_MARKER)),
  })
  const now = effects.clock.now().toISOString()
  const record: WorktreeRecord = {
    schema_version: '1.0',
    worktree_id: id,
    name: from.name,
    repo_id: repository.record.repo_id,
    branch: tree.branch,
    parent_branch: from.parent,
    tree_path: at.tree,
    git_dir: gitDir,
    created_at: now,
    last_used_at: now,
    state: 'present',
    known_head: from.start,
    maker: effects.processes.self,
  }
  await step({ name: 'write the worktree record', run: () => writeWorktree(paths, record) })
  await step({ name: 'mark the repository as used', run: () => touchRepository(repository) })
  return record
}

/** Throws E_BRANCH_NOT_FOUND, or E_REPOSITORY_EMPTY if the repository has no commit at all. */
async function branchTip(repository: Repository, branch: string): Promise<ObjectId> {
  const ref = `refs/heads/${branch}`
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const { exitCode, stdout } = await repository.git.store.run(asked, { answers: [1, 128] })
  if (exitCode === 0) return stdout.toString('utf8').trim() as ObjectId
  const any = await repository.git.store.text(['for-each-ref', '--count=1', 'refs/heads/'])
  if (any === '') throw new AgencyError('E_REPOSITORY_EMPTY')
  throw new AgencyError('E_BRANCH_NOT_FOUND', `there is no local branch '${branch}'`)
}

const BRANCHES = 'refs/heads/'

export async function currentBranch(repository: Repository, cwd: string): Promise<string> {
  const git = bindGit({
    spawner: repository.effects.spawner,
    cwd: realPathIfThere(cwd) ?? repository.record.root,
    env: {},
    reads: { ...NO_READS, commonDir: repository.git.commonDir, everyTree: true },
  })
  const ref = await readHeadRef(git)
  if (ref?.startsWith(BRANCHES) !== true) throw new AgencyError('E_HEAD_DETACHED')
  return ref.slice(BRANCHES.length)
}
