// From an invocation's record to its sandbox. The record's environment names the kind of changeset.

import type { Environment } from '../model/environment.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'
import type { Changeset, ChangesetKind } from './changeset.ts'
import { copyKind } from './copy/copy-kind.ts'
import { CHANGESET_KINDS, type ChangesetKindName, isKnownKind, unknownKind } from './kinds.ts'
import { worktreeKind } from './worktree/worktree-kind.ts'

const KINDS: Readonly<Record<ChangesetKindName, ChangesetKind>> = { worktree: worktreeKind, copy: copyKind }

/** Throws E_CHANGESET_UNKNOWN. */
export function changesetKind({ changeset }: Pick<Environment, 'changeset'>): ChangesetKind {
  if (isKnownKind(changeset)) return KINDS[changeset]
  throw unknownKind(changeset)
}

/** For what there is no record of, so that it can be of any kind. */
export const allChangesetKinds = (): readonly ChangesetKind[] => CHANGESET_KINDS.map((name) => KINDS[name])

/** Touches nothing. Throws E_CHANGESET_UNKNOWN. */
export const openChangeset = (repository: Repository, record: InvocationRecord): Changeset =>
  changesetKind(record.environment).open(repository, record)
