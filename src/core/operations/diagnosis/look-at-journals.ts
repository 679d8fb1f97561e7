// Looks for landings and restores that were interrupted. What can be finished is finished; for what cannot be, doctor is
// the one that gives it up, with everything kept.

import { type Interrupted, listInterrupted, setJournalAside } from '../../store/interrupted.ts'
import type { Repository } from '../../store/repository.ts'
import { settleRestore } from '../checkpoints/give-up-restore.ts'
import { settleLanding } from '../integration/give-up-landing.ts'
import { inspectJournal, nameOf, recoverJournal } from '../integration/recover-journal.ts'
import { type Check, fixable } from './check.ts'

export async function lookAtJournals(repository: Repository): Promise<readonly Check[]> {
  return listInterrupted(repository.paths).map((one) => interrupted(repository, one))
}

function interrupted(repository: Repository, one: Interrupted): Check {
  const { stuck } = inspectJournal(repository, one)
  const message = `a ${nameOf(one)} was interrupted: ${one.path}`
  const said =
    stuck === null
      ? { message, remedy: 'finish it' }
      : { message: `${message}; ${stuck}`, remedy: 'finish it, or give it up with everything kept' }
  return fixable({ subject: one.kind, ...said }, () => repository.locked(() => settle(repository, one)))
}

/** The journal may have been finished since it was found, or moved to where that of its tree lies. */
async function settle(repository: Repository, found: Interrupted): Promise<string> {
  await recoverJournal(repository)
  const now = listInterrupted(repository.paths)
  const one = now.find(({ path }) => path === found.path) ?? now.find(({ kind }) => kind === found.kind)
  if (one === undefined) return `finished the interrupted ${nameOf(found)}`
  return settleOne(repository, one)
}

async function settleOne(repository: Repository, one: Interrupted): Promise<string> {
  const { kind, id } = one
  if (id === null || !inspectJournal(repository, one).readable) {
    return `set the journal of an interrupted ${nameOf(one)} aside, as it cannot be read: ${setJournalAside(one)}`
  }
  return kind === 'restore' ? settleRestore(repository, id) : settleLanding(repository, id)
}
