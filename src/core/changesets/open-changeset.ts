// From an invocation's record to its sandbox. The record's environment names the kind of changeset.

import { AgencyError } from '../model/errors.ts'
import type { Environment, InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'
import type { Changeset, ChangesetKind } from './changeset.ts'
import { copyKind } from './copy/copy-kind.ts'
import { worktreeKind } from './worktree/worktree-kind.ts'

const KINDS: Readonly<Record<string, ChangesetKind>> = { worktree: worktreeKind, copy: copyKind }

/** Throws E_CHANGESET_UNKNOWN. */
export function changesetKind({ changeset }: Pick<Environment, 'changeset'>): ChangesetKind {
  const kind = Object.hasOwn(KINDS, changeset) ? KINDS[changeset] : undefined
  if (kind !== undefined) return kind
  throw new AgencyError('E_CHANGESET_UNKNOWN', `there is no changeset '${changeset}'`, {
    hint: `there are: ${Object.keys(KINDS).join(', ')}`,
  })
}

/** Touches nothing. Throws E_CHANGESET_UNKNOWN. */
export const openChangeset = (repository: Repository, record: InvocationRecord): Changeset =>
  changesetKind(record.environment).open(repository, record)
