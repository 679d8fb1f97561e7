// Looks for worktrees and sandboxes whose maker was killed: before their record was written, or before their files were.

import { basename } from 'node:path'
import { listBegun } from '../../changesets/begun.ts'
import { dropHalfMade } from '../../changesets/half-made.ts'
import { removeBegunWorktree } from '../../doors/git/begun-worktrees.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktrees } from '../../store/worktrees.ts'
import { isUnfinishedWorktree, takeBackUnfinished } from '../integration/unfinished-worktree.ts'
import { type Check, fixable } from './check.ts'
import { isLockHeld } from './lock-held.ts'

/** Ids that have no record. Empty while another command holds the lock, because it may be making one. */
export async function listHalfMade(repository: Repository): Promise<ReadonlySet<string>> {
  if (isLockHeld(repository)) return new Set()
  return new Set((await dropHalfMade(repository, true)).map((dir) => basename(dir)))
}

export async function lookAtHalfMade(repository: Repository): Promise<readonly Check[]> {
  const half = [...(await listHalfMade(repository))]
  const checks = half.length === 0 ? [] : [unrecorded(repository, half)]
  checks.push(...lookAtBegun(repository))
  for (const { worktree_id: id, name } of await listUnfinished(repository)) {
    const message = 'the command that made it was killed before its files were written'
    const said = {
      subject: `worktree ${name}`,
      message,
      remedy: 'take it back, so that the name is free again',
    }
    checks.push(fixable(said, () => repository.locked(() => takeBackUnfinished(repository, id))))
  }
  return checks
}

function unrecorded(repository: Repository, ids: readonly string[]): Check {
  const what = ids.length === 1 ? '1 worktree or sandbox' : `${ids.length} worktrees and sandboxes`
  const message = `${what} of killed commands that had not come to be: ${ids.join(', ')}`
  return fixable(
    { subject: 'half made', message, remedy: 'drop them, with branches that have no commit of their own' },
    async () => {
      await repository.locked(() => dropHalfMade(repository, false))
      return `dropped ${what} that killed commands had begun`
    },
  )
}

function lookAtBegun(repository: Repository): Check[] {
  if (isLockHeld(repository)) return []
  return listBegun(repository).map((dir) => {
    const message = `a git that was killed had only begun to make ${dir}`
    return fixable({ subject: 'half made', message, remedy: 'remove it; it names no worktree' }, () =>
      repository.locked(async () =>
        removeBegunWorktree(repository, dir)
          ? `removed ${dir}`
          : `left ${dir}: a git is at work there by now`,
      ),
    )
  })
}

async function listUnfinished(repository: Repository) {
  const found = []
  for (const record of listWorktrees(repository.paths)) {
    if (await isUnfinishedWorktree(repository, record)) found.push(record)
  }
  return found
}
