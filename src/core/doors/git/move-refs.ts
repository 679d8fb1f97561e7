// Moves several refs in one transaction: all of them, or none if one is not where it should be.

import { AgencyError } from '../../model/errors.ts'
import type { RefChange } from '../../model/operation.ts'
import type { RepositoryGit } from '../effects.ts'

/** A repository, as far as its refs go. */
interface Store {
  readonly git: Pick<RepositoryGit, 'store'>
}

/** Skips refs that are already where they should go, so it may be repeated. Throws E_UNDO_MOVED naming a ref. */
export async function moveRefs(repository: Store, changes: readonly RefChange[]): Promise<void> {
  if (await moveAtOnce(repository, changes)) return
  const open = await findUnmoved(repository, changes)
  if (open.length > 0) await transact(repository, open)
}

/**
 * Moves all without looking first: nearly always each ref is where it should be, and git checks that anyway. False:
 * nothing has moved.
 */
async function moveAtOnce(repository: Store, changes: readonly RefChange[]): Promise<boolean> {
  // git does not check a ref that would stay where it is.
  if (changes.length === 0 || changes.some(({ from, to }) => from === to)) return false
  return (await transact(repository, changes, REFUSED)) === 0
}

/** git's exit codes where a ref is not where it should be. */
const REFUSED = [1, 128]

async function transact(
  { git }: Store,
  changes: readonly RefChange[],
  answers: readonly number[] = [],
): Promise<number> {
  const input = changes.map(formatRefChange).join('')
  const args = ['update-ref', '--no-deref', '--stdin', '-z']
  return (await git.store.run(args, { input, answers })).exitCode
}

/** The changes that are still to be made. Throws E_UNDO_MOVED where a ref is neither at `from` nor at `to`. */
export async function findUnmoved(repository: Store, changes: readonly RefChange[]): Promise<RefChange[]> {
  if (changes.length === 0) return []
  const tips = await readRefTips(
    repository,
    changes.map(({ ref }) => ref),
  )
  return changes.filter((change) => {
    const tip = tips.get(change.ref) ?? null
    if (tip !== change.to && tip !== change.from) throw refMoved(change, tip)
    return tip !== change.to
  })
}

async function readRefTips({ git }: Store, refs: readonly string[]): Promise<Map<string, string>> {
  const listed = await git.store.text(['for-each-ref', '--format=%(refname) %(objectname)', ...refs])
  return new Map(
    listed.split('\n').flatMap((line) => {
      const [ref, object] = line.split(' ')
      return ref && object ? [[ref, object] as const] : []
    }),
  )
}

const formatRefChange = ({ ref, from, to }: RefChange): string => {
  if (to === null) return `delete ${ref}\0${from ?? ''}\0`
  return from === null ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`
}

export const reverse = ({ ref, from, to }: RefChange): RefChange => ({ ref, from: to, to: from })

export const refMoved = ({ ref, from }: RefChange, tip: string | null): AgencyError =>
  new AgencyError('E_UNDO_MOVED', `${shortRef(ref)} ${whereNow(tip)}, and not ${wherePut(from)}`, {
    details: { ref, expected: from, found: tip },
  })

const shortRef = (ref: string): string => ref.replace(/^refs\/heads\//, '')
const whereNow = (tip: string | null): string => (tip === null ? 'is gone' : `is at ${tip.slice(0, 7)} now`)
const wherePut = (tip: string | null): string =>
  tip === null ? 'missing as before' : `at ${tip.slice(0, 7)}`
