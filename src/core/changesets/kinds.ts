// The names of the kinds of sandbox. Every table of kinds has a row for each, so that a new name does not compile until
// all of them have one.

import { AgencyError } from '../model/errors.ts'

export const CHANGESET_KINDS = ['worktree', 'copy'] as const
export type ChangesetKindName = (typeof CHANGESET_KINDS)[number]

/** A record may name a kind that a later version made. */
export const isKnownKind = (changeset: string): changeset is ChangesetKindName =>
  (CHANGESET_KINDS as readonly string[]).includes(changeset)

export const unknownKind = (changeset: string): AgencyError =>
  new AgencyError('E_CHANGESET_UNKNOWN', `there is no changeset '${changeset}'`, {
    hint: `there are: ${CHANGESET_KINDS.join(', ')}`,
  })
