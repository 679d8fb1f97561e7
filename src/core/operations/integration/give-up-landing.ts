// Ends a landing (or its undo) that was interrupted and that cannot simply be finished or taken back. The person's files
// stay as they lie there; what was to be landed is kept, and the branch is where it was or where it was to go.

import { dropNextIndex, releaseIndexLock } from '../../doors/git/index-lock.ts'
import { isGitDirOf } from '../../doors/git/linked-worktrees.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { AgencyError, messageOfError } from '../../model/errors.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { type Journal, readJournal, removeJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktreeIfWhole } from '../../store/worktrees.ts'
import { branchRef } from './check-integration-tree.ts'
import { finishPublication, recoverLanding } from './recover-landing.ts'

/** The caller holds the lock. Returns a sentence about what was done. Throws E_LOCKED while a git is still writing. */
export async function settleLanding(repository: Repository, id: string): Promise<string> {
  try {
    const { outcome } = await recoverLanding(repository, id)
    return outcome === 'rolled_forward'
      ? 'finished the interrupted landing'
      : 'took the interrupted landing back: its branch had not moved'
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_LOCKED') throw error
    const journal = readJournal(repository.paths, id)
    if (journal === null) throw error
    return giveUpLanding(repository, journal, error)
  }
}

async function giveUpLanding(repository: Repository, journal: Journal, why: unknown): Promise<string> {
  const { git, paths } = repository
  const worktree = readWorktreeIfWhole(paths, journal.worktree_id)
  const tip = worktree === null ? null : await readTip(git.store, branchRef(worktree))
  const moved = tip === journal.to && journal.from !== journal.to
  const recorded = moved && (await couldRecord(repository, journal))
  if (worktree !== null) releaseIndex(repository, worktree, journal)
  removeJournal(paths, journal.worktree_id)
  const reason = messageOfError(why)
  const name = worktree?.name ?? journal.worktree_id
  const look = worktree === null ? '' : `; look at it with: git -C ${worktree.tree_path} status`
  if (!moved) {
    return `gave up the landing onto ${name}, whose branch has not moved: ${reason}; some of its files may be in the tree${look}`
  }
  const log = recorded ? '' : ', and it is not in the log'
  return `gave up the end of the landing onto ${name}: its branch has moved${log}, its index has not (${reason})${look}`
}

async function couldRecord(repository: Repository, journal: Journal): Promise<boolean> {
  try {
    await finishPublication(repository, journal)
    return true
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    return false
  }
}

function releaseIndex({ git }: Repository, worktree: WorktreeRecord, { token }: Journal): void {
  if (!isGitDirOf(git.commonDir, worktree)) return
  dropNextIndex(worktree.git_dir)
  releaseIndexLock(worktree.git_dir, token)
}
