// Agents share the person's refs, so one of them can move an integration branch. A tip counts as right if agency put it
// there, or if the last entry of HEAD's reflog in the branch's own tree did: then it is the person's own commit.

import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { branchRef } from './check-integration-tree.ts'

/** `tip` is where the branch is. Throws E_BRANCH_MOVED, which says who moved it if the reflog tells. */
export async function checkBranchNotMoved(
  repository: Repository,
  worktree: WorktreeRecord,
  tip: ObjectId,
): Promise<void> {
  if (tip === worktree.known_head) return
  const [own, last] = await Promise.all([
    readLastMove(repository, worktree, 'HEAD'),
    readLastMove(repository, worktree, branchRef(worktree)),
  ])
  if (own?.to === tip) return
  const by = last === null ? 'nothing says by whom' : `by ${last.who}: ${last.why}`
  throw new AgencyError(
    'E_BRANCH_MOVED',
    `${worktree.branch} is at ${tip.slice(0, 7)}, but not by a commit in its own tree (${by})`,
    { details: { branch: worktree.branch, expected: worktree.known_head, found: tip, moved_by: last } },
  )
}

interface BranchMove {
  readonly to: string
  readonly who: string
  readonly why: string
}

async function readLastMove(
  { git }: Repository,
  worktree: WorktreeRecord,
  ref: string,
): Promise<BranchMove | null> {
  const format = '--format=%H%x00%gn <%ge>%x00%gs'
  const log = await git
    .tree(worktree)
    .run(['log', '-g', '-n', '1', '--no-show-signature', format, ref, '--'], { answers: [128] })
  const [to, who, why] = log.stdout.toString('utf8').trimEnd().split('\0')
  return to && who && why !== undefined ? { to, who, why } : null
}
