// Reads from a commit how to put back the state that it keeps.

import type { RepositoryGit } from '../../../doors/effects.ts'
import { AgencyError } from '../../../model/errors.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { type KeptState, parseKeptState } from '../../../model/kept-state.ts'

/** Throws E_UNDO_EXPIRED where the commit keeps no state. */
export async function readKeptState(
  { git }: { readonly git: Pick<RepositoryGit, 'store'> },
  commit: ObjectId,
): Promise<KeptState> {
  const message = await git.store.run(['log', '-1', '--no-show-signature', '--format=%B', commit], {
    answers: [128],
  })
  const kept = parseKeptState(message.stdout.toString('utf8'))
  if (kept === null) throw new AgencyError('E_UNDO_EXPIRED', `${commit} holds no state that was kept`)
  return kept
}
