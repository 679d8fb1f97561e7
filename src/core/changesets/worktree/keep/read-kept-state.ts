// Reads from a commit how to put back the state that it keeps.

import type { RepositoryGit } from '../../../doors/effects.ts'
import { AgencyError } from '../../../model/errors.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { type KeptState, parseKeptState } from '../../../model/kept-state.ts'
import type { Capture } from '../../changeset.ts'

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

/** Whether the commit keeps what this capture holds. False also where the commit keeps no state. */
export async function keepsCapture(
  { git }: { readonly git: Pick<RepositoryGit, 'store'> },
  commit: string,
  { state_tree, head, verbatim }: Capture,
): Promise<boolean> {
  const said = await git.store.run(['log', '-1', '--no-show-signature', '--format=%T %B', commit], {
    answers: [128],
  })
  const [tree, message] = splitOnce(said.stdout.toString('utf8'), ' ')
  const kept = parseKeptState(message)
  if (kept === null || tree !== state_tree) return false
  return kept.head === head && (kept.verbatim_tree ?? null) === (verbatim?.tree ?? null)
}

const splitOnce = (text: string, by: string): [string, string] => {
  const at = text.indexOf(by)
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
}
