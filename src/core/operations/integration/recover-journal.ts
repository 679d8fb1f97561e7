// Finishes what kills have interrupted: landings, restores, and what undoes them. Each belongs to its tree. One that
// cannot be finished keeps nobody from the other trees: it says so in its journal and is tried again by verbs on its own
// tree, and by doctor, which can also give it up.

import { AgencyError, messageOfError } from '../../model/errors.ts'
import { parseWorktreeId, shortId } from '../../model/ids.ts'
import type { Operation } from '../../model/operation.ts'
import { adoptOldJournals, type Interrupted, listInterrupted } from '../../store/interrupted.ts'
import { readJournal, writeJournal } from '../../store/journal.ts'
import type { Repository } from '../../store/repository.ts'
import { readRestoreJournal, writeRestoreJournal } from '../../store/restore-journal.ts'
import { recoverRestore } from '../checkpoints/carry-out-restore.ts'
import { recoverLanding } from './recover-landing.ts'

/** The trees that a verb is about to read or write. */
export interface Concern {
  readonly invocations?: readonly string[]
  readonly worktree?: string
}

/** Those of an operation that is to be taken back or done again. */
export const concernOf = ({ invocation_ids, worktree_id }: Operation): Concern => ({
  invocations: invocation_ids,
  worktree: worktree_id,
})

/**
 * The caller holds the lock. Every verb that takes the lock begins with this. Throws only if what cannot be finished is
 * the verb's own concern: what stood in the way, the journal's file, and what to type.
 */
export async function recoverJournal(repository: Repository, concern: Concern = {}): Promise<void> {
  await adoptOldJournals(repository.paths)
  for (const one of listInterrupted(repository.paths)) {
    const said = inspectJournal(repository, one)
    const mine = isConcerned(concern, one, said)
    if (!mine && (said.stuck !== null || isBeingWritten(repository, said))) continue
    try {
      await finishOne(repository, one)
    } catch (error) {
      if (mine) throw unfinished(one, error)
      await noteStuck(repository, one, messageOfError(error))
    }
  }
}

/** Throws whatever stands in the way. */
export async function finishOne(repository: Repository, { kind, id, path }: Interrupted): Promise<void> {
  if (id === null) throw new AgencyError('E_RECORD_UNREADABLE', `${path} does not say whose journal it is`)
  if (kind === 'landing') await recoverLanding(repository, id)
  else await recoverRestore(repository, id)
}

/** In words, for the person. */
export const nameOf = ({ kind, id }: Interrupted): string => {
  const whose =
    id === null ? '' : kind === 'landing' ? ` onto the worktree ${id}` : ` of ${shortId(parseWorktreeId(id))}`
  return `${kind === 'landing' ? 'landing' : 'restore'}${whose}`
}

export interface JournalSaid {
  readonly readable: boolean
  /** Why an earlier attempt could not finish it; null if there was none. */
  readonly stuck: string | null
  readonly writers: Parameters<Repository['effects']['processes']['isAlive']>[0][]
  readonly invocations: readonly string[]
}

/** One that cannot be read is stuck. */
export function inspectJournal({ paths }: Repository, { kind, id, path }: Interrupted): JournalSaid {
  const nothing = { readable: false, writers: [], invocations: [] }
  if (id === null) return { ...nothing, stuck: `${path} cannot be read` }
  try {
    if (kind === 'restore') {
      const { stuck = null, writers = [] } = readRestoreJournal(paths, id) ?? {}
      return { readable: true, stuck, writers, invocations: [id] }
    }
    const journal = readJournal(paths, id)
    const invocations = journal?.completion?.operation.invocation_ids ?? []
    return { readable: true, stuck: journal?.stuck ?? null, writers: journal?.writers ?? [], invocations }
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    return { ...nothing, invocations: kind === 'restore' ? [id] : [], stuck: error.message }
  }
}

const isConcerned = (concern: Concern, { kind, id }: Interrupted, { invocations }: JournalSaid): boolean =>
  (kind === 'landing' && id !== null && concern.worktree === id) ||
  invocations.some((other) => concern.invocations?.includes(other) === true)

/** By the git of a verb that was killed, or by one that its verb still waits for. */
const isBeingWritten = ({ effects }: Repository, { writers }: JournalSaid): boolean =>
  writers.some((writer) => effects.processes.isAlive(writer))

/** If even that cannot be written, the next verb simply tries again. */
async function noteStuck({ paths }: Repository, { kind, id }: Interrupted, stuck: string): Promise<void> {
  if (id === null) return
  try {
    const landing = kind === 'landing' ? readJournal(paths, id) : null
    if (landing !== null) await writeJournal(paths, { ...landing, stuck })
    const restore = kind === 'restore' ? readRestoreJournal(paths, id) : null
    if (restore !== null) await writeRestoreJournal(paths, { ...restore, stuck })
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
  }
}

function unfinished(one: Interrupted, error: unknown): AgencyError {
  const code = error instanceof AgencyError ? error.code : 'E_GIT_FAILED'
  const message = `an interrupted ${nameOf(one)} cannot be finished yet: ${messageOfError(error)}; its journal is ${one.path}`
  return new AgencyError(code, message, {
    hint: 'remove what stands in the way and try again, or have it finished or given up with all kept: agency doctor --fix',
    details: { ...(error instanceof AgencyError ? error.details : {}), journal: one.path },
    cause: error,
  })
}
