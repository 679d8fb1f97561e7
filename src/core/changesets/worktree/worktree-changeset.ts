// The changeset of a sandbox that is a linked git worktree.

import { realpathSync } from 'node:fs'
import type { Git } from '../../doors/effects.ts'
import { diffPaths, diffWithCounts } from '../../doors/git/compare-trees.ts'
import { lstatIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { ALL_COMMITTED, toFileChanges, type Uncommitted } from '../../model/raw-diff.ts'
import type { Repository } from '../../store/repository.ts'
import type { Capture, Changeset } from '../changeset.ts'
import { captureTree } from './capture/capture-tree.ts'
import type { CaptureRequest } from './capture/describe-capture.ts'
import { dropLook, keepLook } from './capture/kept-look.ts'
import { type LeaveOut, NOTHING } from './capture/leave-out.ts'
import { keepCapture } from './keep/keep-capture.ts'
import { sandboxTree } from './proof/our-tree.ts'
import { removeTree } from './remove/remove-tree.ts'

export function openChangeset(repository: Repository, record: InvocationRecord): Changeset {
  const where = { tree_path: record.sandbox_path, git_dir: record.git_dir }
  const { store } = repository.git
  const { looked } = repository.paths.invocation(record.invocation_id)
  return {
    where,
    git: repository.git.tree(where),
    exists: () => isRealDirectory(where.tree_path),
    capture: async (leaveOut) => captureTree(requestOf(repository, record, leaveOut ?? NOTHING)),
    keepLook: async () => keepLook(requestOf(repository, record, NOTHING), looked),
    async changes(range, captured) {
      const [all, uncommitted] = await Promise.all([
        diffWithCounts(store, range),
        range.to === captured.state_tree ? findUncommitted(store, captured) : ALL_COMMITTED,
      ])
      return toFileChanges(all, uncommitted)
    },
    keep: (ref, captured, beside) =>
      keepCapture(store, {
        ref,
        subject: `The whole state of ${record.invocation_id} (${record.invocation_name})`,
        branch: record.sandbox_branch,
        capture: captured,
        ...beside,
        at: repository.effects.clock.now(),
      }),
    remove: async (wholeAt) => {
      dropLook(looked)
      removeTree(repository, sandboxTree(repository, record), wholeAt)
    },
  }
}

async function findUncommitted(store: Git, { head, index_tree, state_tree }: Capture): Promise<Uncommitted> {
  const [own, unstaged] = await Promise.all([
    diffPaths(store, head, state_tree),
    index_tree === null ? null : diffPaths(store, index_tree, state_tree),
  ])
  const unknown = (unstaged ?? own).changes.filter(({ kind }) => kind === 'added')
  return {
    paths: new Set(own.changes.map(({ path }) => path)),
    untracked: new Set(unknown.map(({ path }) => path)),
  }
}

function requestOf(repository: Repository, record: InvocationRecord, leaveOut: LeaveOut): CaptureRequest {
  if (!isRealDirectory(record.sandbox_path)) {
    throw new AgencyError('E_INVOCATION_BROKEN', `its sandbox is missing: ${record.sandbox_path}`)
  }
  const { sandboxDir, looked } = repository.paths.invocation(record.invocation_id)
  const { finished_at } = record
  return {
    git: repository.git,
    where: { tree_path: record.sandbox_path, git_dir: record.git_dir },
    scratchDir: sandboxDir,
    looked: { dir: looked, since: finished_at === null ? null : Date.parse(finished_at) },
    fallbackHead: record.base_commit,
    leaveOut,
  }
}

/** A symbolic link in the tree's place leads to files that are not the sandbox's. */
function isRealDirectory(path: string): boolean {
  if (lstatIfThere(path)?.isDirectory() !== true) return false
  return realpathSync(path) === path
}
