// What a kill leaves beside the records: a lock whose holder is gone, a landing that was being written.

import { existsSync } from 'node:fs'
import { readHolder } from '../../effects/lock.ts'
import type { Repository } from '../../store/repository.ts'
import { recoverJournal } from '../recover-journal.ts'
import { type Check, fine, fixable, note } from './check.ts'

export async function lookAtLeftovers(repository: Repository): Promise<readonly Check[]> {
  return [lookAtLock(repository), ...lookAtJournal(repository)]
}

function lookAtLock({ paths, effects }: Repository): Check {
  const holder = readHolder(paths.lock)
  if (holder === null) return fine('lock', 'free')
  if (effects.processes.isAlive(holder)) return note('lock', `held by process ${holder.pid}`)
  return note('lock', 'its holder was killed; the next command takes it over')
}

function lookAtJournal(repository: Repository): Check[] {
  if (!existsSync(repository.paths.journal)) return []
  const said = {
    subject: 'landing',
    message: 'one was interrupted while it was being written',
    remedy: 'finish it',
  }
  return [
    fixable(said, async () => {
      await repository.locked(() => recoverJournal(repository))
      return 'finished the interrupted landing'
    }),
  ]
}
