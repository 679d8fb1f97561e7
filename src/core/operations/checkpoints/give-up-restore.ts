// Ends a restore that was interrupted and that cannot simply be finished. What can be done without losing anything is
// tried first; in the end the sandbox stays as it lies there, and both states are kept.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { AgencyError, messageOfError } from '../../model/errors.ts'
import { type ObjectId, parseInvocationId, shortId } from '../../model/ids.ts'
import { SNAPSHOT_REFS, TRASH_REFS } from '../../model/refs.ts'
import { appendEvent } from '../../store/events.ts'
import { readInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { type RestoreJournal, readRestoreJournal, removeRestoreJournal } from '../../store/restore-journal.ts'
import { recoverRestore, takeRestoreBack } from './carry-out-restore.ts'

/** The caller holds the lock. Returns a sentence about what was done. Throws E_LOCKED while a git is still writing. */
export async function settleRestore(repository: Repository, id: string): Promise<string> {
  const { paths } = repository
  const short = shortId(parseInvocationId(id))
  try {
    const line = await recoverRestore(repository, id)
    return line === null ? `gave up the interrupted restore of ${short}` : `finished: ${line.description}`
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_LOCKED') throw error
    const journal = readRestoreJournal(paths, id)
    if (journal === null) throw error
    await takeRestoreBack(repository, readInvocation(paths, id), journal)
    if (readRestoreJournal(paths, id) === null) {
      return `took the interrupted restore of ${short} back, as it could not be finished`
    }
    return giveUpRestore(repository, journal, error)
  }
}

async function giveUpRestore(repository: Repository, journal: RestoreJournal, why: unknown): Promise<string> {
  const { paths } = repository
  const { invocation_id: id, from, to } = journal
  await keepAlso(repository, id, from)
  await keepAlso(repository, id, to)
  openChangeset(repository, readInvocation(paths, id)).abandonRestore(journal)
  removeRestoreJournal(paths, id)
  const message = `the restore to ${to.slice(0, 12)} was given up: ${messageOfError(why)}; the state before it is ${from}`
  appendEvent(paths, id, { kind: 'cleanup_failed', message, commit: from })
  return `gave up the interrupted restore of ${shortId(id)}: its files stay as they are, and the state before it is ${from}`
}

/** Both are checkpoints as a rule. One that no ref holds any more gets one, which gc drops when it is old enough. */
async function keepAlso({ git }: Repository, id: string, commit: ObjectId): Promise<void> {
  const refs = [`${SNAPSHOT_REFS}${id}/`, TRASH_REFS]
  const held = await git.store.text(['for-each-ref', '--count=1', '--points-at', commit, ...refs])
  if (held !== '') return
  const ref = `${TRASH_REFS}restore-${id}-${commit.slice(0, 12)}`
  await git.store.run(['update-ref', '--no-deref', ref, commit], { answers: [128] })
}
