// Looks for worktrees and sandboxes whose maker was killed: before their record was written, or before their files were.

import { basename } from 'node:path'
import { dropHalfMade } from '../../changesets/half-made.ts'
import { readHolder } from '../../doors/system/lock.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktrees } from '../../store/worktrees.ts'
import { isUnfinishedWorktree, takeBackUnfinished } from '../integration/unfinished-worktree.ts'
import { type Check, fixable } from './check.ts'

/** Ids that have no record. Empty while another command holds the lock, because it may be making one. */
export async function listHalfMade(repository: Repository): Promise<ReadonlySet<string>> {
  const { paths, effects } = repository
  const holder = readHolder(paths.lock)
  if (holder !== null && effects.processes.isAlive(holder)) return new Set()
  return new Set((await dropHalfMade(repository, true)).map((dir) => basename(dir)))
}

export async function lookAtHalfMade(repository: Repository): Promise<readonly Check[]> {
  const half = [...(await listHalfMade(repository))]
  const checks = half.length === 0 ? [] : [unrecorded(repository, half)]
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
  return fixable({ subject: 'half made', message, remedy: 'drop them, with their branches' }, async () => {
    await repository.locked(() => dropHalfMade(repository, false))
    return `dropped ${what} that killed commands had begun`
  })
}

async function listUnfinished(repository: Repository) {
  const found = []
  for (const record of listWorktrees(repository.paths)) {
    if (await isUnfinishedWorktree(repository, record)) found.push(record)
  }
  return found
}
