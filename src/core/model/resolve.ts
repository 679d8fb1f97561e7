// From what a person typed to the one record that is meant. An invocation is never found by its name, which is only a
// label.

import type { ErrorCode } from './error-codes.ts'
import { AgencyError } from './errors.ts'

export interface NamedRecord {
  readonly id: string
  /** A name by which it can be found; null if names do not count. */
  readonly name: string | null
  /** Can only be found by its exact id. */
  readonly exactOnly: boolean
}

/**
 * An exact id comes first, then an exact name, then a unique prefix of an id, then unique last four characters (as
 * lists show). Throws `notFound` or E_AMBIGUOUS.
 */
export function resolveOne<T extends NamedRecord>(
  typed: string,
  candidates: readonly T[],
  notFound: ErrorCode,
): T {
  const exact = candidates.find((candidate) => candidate.id === typed)
  if (exact !== undefined) return exact
  const open = candidates.filter((candidate) => !candidate.exactOnly)
  const tries = [
    open.filter((candidate) => candidate.name === typed),
    typed === '' ? [] : open.filter((candidate) => candidate.id.startsWith(typed)),
    open.filter((candidate) => candidate.id.slice(-4) === typed),
  ]
  const fitting = tries.find((found) => found.length > 0) ?? []
  const [only, second] = fitting
  if (only === undefined) throw new AgencyError(notFound, `nothing here is called '${typed}'`)
  if (second === undefined) return only
  throw new AgencyError(
    'E_AMBIGUOUS',
    `'${typed}' fits ${fitting.length}: ${fitting.map(candidateLabel).join(', ')}`,
    {
      details: { candidates: fitting.map((candidate) => candidate.id) },
    },
  )
}

const candidateLabel = (candidate: NamedRecord): string =>
  candidate.name === null ? candidate.id : `${candidate.id} (${candidate.name})`
