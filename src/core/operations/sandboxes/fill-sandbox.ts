// The files that a new sandbox begins with.

import { checkOutTree, type PreparedCheckOut } from '../../changesets/worktree/make/check-out-tree.ts'
import type { TreeLocation } from '../../doors/effects.ts'
import type { InvocationId } from '../../model/ids.ts'
import { appendEvent } from '../../store/events.ts'
import type { Repository } from '../../store/repository.ts'
import type { Fork } from './fork-source.ts'
import { fillTree } from './restore-tree.ts'

export interface EmptySandbox {
  readonly id: InvocationId
  readonly where: TreeLocation
  readonly fork: Fork | null
  readonly checkOut: PreparedCheckOut
}

/** Those of its branch, or the state that it is forked from. When this rejects, nobody writes there any more. */
export async function fillSandbox(
  { git, paths }: Repository,
  { id, where, fork, checkOut }: EmptySandbox,
): Promise<void> {
  if (fork === null) return checkOutTree(git, where, checkOut)
  const { commit, kept } = fork
  await fillTree(git.tree(where), `${commit}^{tree}`, kept.index_tree ?? `${kept.head}^{tree}`)
  const message = `begun with the state ${commit} of ${fork.record.invocation_id}`
  appendEvent(paths, id, { kind: 'forked', message, commit })
}
