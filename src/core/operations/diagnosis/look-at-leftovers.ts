// What a kill leaves beside the records: a lock whose holder is gone, scratch files.

import { readHolder } from '../../doors/system/lock.ts'
import type { Repository } from '../../store/repository.ts'
import { type Check, fine, fixable, note } from './check.ts'
import { clearLeftBehind, listLeftBehind } from './left-behind.ts'

export async function lookAtLeftovers(repository: Repository): Promise<readonly Check[]> {
  return [lookAtLock(repository), ...lookAtScratch(repository)]
}

function lookAtLock({ paths, effects }: Repository): Check {
  const holder = readHolder(paths.lock)
  if (holder === null) return fine('lock', 'free')
  if (effects.processes.isAlive(holder)) return note('lock', `held by process ${holder.pid}`)
  return note('lock', 'its holder was killed; the next command takes it over')
}

function lookAtScratch(repository: Repository): Check[] {
  const left = listLeftBehind(repository)
  if (left.length === 0) return []
  const what = left.length === 1 ? '1 scratch file' : `${left.length} scratch files`
  const message = `${what} of killed commands: ${left[0]}${left.length > 1 ? ', …' : ''}`
  return [
    fixable({ subject: 'leftovers', message, remedy: 'delete them' }, async () => {
      clearLeftBehind(repository, left)
      return `deleted ${what} that killed commands had left`
    }),
  ]
}
