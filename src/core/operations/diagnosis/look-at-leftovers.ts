// What a kill leaves beside the records: a lock whose holder is gone, the journal of a landing or restore, scratch
// files.

import { pathExists } from '../../doors/system/files.ts'
import { readHolder } from '../../doors/system/lock.ts'
import type { Repository } from '../../store/repository.ts'
import { recoverJournal } from '../integration/recover-journal.ts'
import { type Check, fine, fixable, note } from './check.ts'
import { clearLeftBehind, listLeftBehind } from './left-behind.ts'

export async function lookAtLeftovers(repository: Repository): Promise<readonly Check[]> {
  return [lookAtLock(repository), ...lookAtJournals(repository), ...lookAtScratch(repository)]
}

function lookAtLock({ paths, effects }: Repository): Check {
  const holder = readHolder(paths.lock)
  if (holder === null) return fine('lock', 'free')
  if (effects.processes.isAlive(holder)) return note('lock', `held by process ${holder.pid}`)
  return note('lock', 'its holder was killed; the next command takes it over')
}

function lookAtJournals(repository: Repository): Check[] {
  const { journal, restoring } = repository.paths
  const journals = { landing: journal, restore: restoring }
  return Object.entries(journals)
    .filter(([, path]) => pathExists(path))
    .map(([subject]) => interrupted(repository, subject))
}

function interrupted(repository: Repository, subject: string): Check {
  const message = 'one was interrupted while it was being written'
  return fixable({ subject, message, remedy: 'finish it' }, async () => {
    await repository.locked(() => recoverJournal(repository))
    return `finished the interrupted ${subject}`
  })
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
