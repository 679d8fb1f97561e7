// The changeset of a sandbox that is a linked git worktree.

import { realpathSync } from 'node:fs'
import { AgencyError } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { toFileChanges } from '../model/raw-diff.ts'
import type { Repository } from '../store/repository.ts'
import { captureTree } from './capture-tree.ts'
import type { Capture, Changeset } from './changeset.ts'
import { diffPaths, diffWithCounts } from './compare-trees.ts'
import { lstatIfThere } from './files.ts'
import { keepCapture } from './keep-capture.ts'
import { type LeaveOut, NOTHING } from './leave-out.ts'
import { sandboxTree } from './our-tree.ts'
import { removeTree } from './remove-tree.ts'

export function openChangeset(repository: Repository, record: InvocationRecord): Changeset {
  const where = { tree_path: record.sandbox_path, git_dir: record.git_dir }
  const { store } = repository.git
  return {
    where,
    git: repository.git.tree(where),
    exists: () => isRealDirectory(where.tree_path),
    capture: async (leaveOut) => capture(repository, record, leaveOut ?? NOTHING),
    async changes(base, { head, state_tree }) {
      const [all, own] = await Promise.all([
        diffWithCounts(store, base, state_tree),
        diffPaths(store, head, state_tree),
      ])
      return toFileChanges(all, new Set(own.changes.map((change) => change.path)))
    },
    keep: (ref, captured, also) =>
      keepCapture(store, {
        ref,
        subject: `The whole state of ${record.invocation_id} (${record.invocation_name})`,
        branch: record.sandbox_branch,
        capture: captured,
        also: also ?? null,
        at: repository.effects.clock.now(),
      }),
    remove: async (wholeAt) => removeTree(repository, sandboxTree(repository, record), wholeAt),
  }
}

function capture(repository: Repository, record: InvocationRecord, leaveOut: LeaveOut): Promise<Capture> {
  if (!isRealDirectory(record.sandbox_path)) {
    throw new AgencyError('E_INVOCATION_BROKEN', `its sandbox is missing: ${record.sandbox_path}`)
  }
  return captureTree({
    git: repository.git,
    where: { tree_path: record.sandbox_path, git_dir: record.git_dir },
    scratchDir: repository.paths.invocation(record.invocation_id).sandboxDir,
    fallbackHead: record.base_commit,
    leaveOut,
  })
}

/** A symbolic link in the tree's place leads to files that are not the sandbox's. */
function isRealDirectory(path: string): boolean {
  if (lstatIfThere(path)?.isDirectory() !== true) return false
  return realpathSync(path) === path
}
