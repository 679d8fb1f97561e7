// The open trees that git knows as linked worktrees: sandboxes of that kind, and the person's worktrees. Told by their
// records, which agents can write, so whoever uses this looks for what else proves it.

import { dirname, join } from 'node:path'
import type { TreeLocation } from '../doors/effects.ts'
import { isClosed } from '../model/invocation.ts'
import { inspectRecord, isBroken, listInvocationIds } from '../store/invocations.ts'
import type { Repository } from '../store/repository.ts'
import { listWorktrees } from '../store/worktrees.ts'
import { knownLocation } from './location.ts'

export interface LinkedTree extends TreeLocation {
  /** As doctor names it. */
  readonly owner: string
  readonly branch: string
}

export function listLinkedTrees({ paths, git }: Repository): LinkedTree[] {
  const sandboxes = listInvocationIds(paths).flatMap((id): LinkedTree[] => {
    const record = inspectRecord(paths, id)
    if (record === null || isBroken(record) || isClosed(record)) return []
    return [{ owner: `invocation ${id}`, branch: record.sandbox_branch, ...knownLocation(record) }]
  })
  const worktrees = listWorktrees(paths)
    .filter(({ state }) => state === 'present')
    .map(({ name, branch, tree_path, git_dir }) => ({
      owner: `worktree ${name}`,
      branch,
      tree_path,
      git_dir,
    }))
  const root = join(git.commonDir, 'worktrees')
  return [...worktrees, ...sandboxes].filter(({ git_dir }) => dirname(git_dir) === root)
}
