// Git directories that killed gits had only begun to make for trees of ours. Not those that open records name: an agent may
// have emptied its own, and its name must not go to another tree.

import { listBegunWorktrees } from '../doors/git/begun-worktrees.ts'
import { isClosed } from '../model/invocation.ts'
import { inspectRecord, isBroken, listInvocationIds } from '../store/invocations.ts'
import type { Repository } from '../store/repository.ts'
import { listWorktrees } from '../store/worktrees.ts'
import { knownPath } from './location.ts'

export function listBegun(repository: Repository): string[] {
  const begun = listBegunWorktrees(repository)
  if (begun.length === 0) return []
  const named = listNamed(repository)
  return begun.filter((dir) => !named.has(dir))
}

function listNamed({ paths }: Repository): ReadonlySet<string> {
  const sandboxes = listInvocationIds(paths).flatMap((id) => {
    const record = inspectRecord(paths, id)
    return record === null || isBroken(record) || isClosed(record) ? [] : [knownPath(record.git_dir)]
  })
  const worktrees = listWorktrees(paths).filter(({ state }) => state === 'present')
  return new Set([...sandboxes, ...worktrees.map(({ git_dir }) => git_dir)])
}
