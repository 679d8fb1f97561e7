// Closes a sandbox in two halves: everything it holds is kept, then it is let go. The records are written between the
// two, so that at no moment is there a tree without a ref, or a record without a way back.

import type { Capture } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import { awaitCollector } from '../../doors/git/collector.ts'
import { diffPaths, diffWithCounts } from '../../doors/git/compare-trees.ts'
import { moveRefs, reverse } from '../../doors/git/move-refs.ts'
import { readTips } from '../../doors/git/read-tips.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { parseObjectId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RefChange } from '../../model/operation.ts'
import { SNAPSHOT_REFS, TRASH_REFS } from '../../model/refs.ts'
import type { Repository } from '../../store/repository.ts'

export interface CapturedSandbox {
  readonly record: InvocationRecord
  readonly capture: Capture
}

export const trashRef = (id: string): string => `${TRASH_REFS}${id}`

/** The caller holds the lock. When it resolves, the state is kept. Returns the refs that closing this sandbox moves. */
export async function keepSandbox(repository: Repository, sandbox: CapturedSandbox): Promise<RefChange[]> {
  const { record, capture } = sandbox
  const changeset = openChangeset(repository, record)
  const { store } = repository.git
  const ref = trashRef(record.invocation_id)
  const branch = `refs/heads/${record.sandbox_branch}`
  const [[before = null, branch_tip = null], elsewhere, snapshots] = await Promise.all([
    readTips(store, [ref, branch]),
    changeset.otherCheckouts(branch),
    listSnapshots(repository, record),
  ])
  repository.effects.onStep('keep the sandbox')
  const commit = await changeset.keep(ref, capture, {
    also: newestOf(snapshots),
    branch_tip,
  })
  const own = ownBranch({ ref: branch, from: branch_tip, to: null }, elsewhere)
  await confirm(repository, sandbox, { ref, from: before, to: commit })
  return [{ ref, from: before, to: commit }, ...own, ...snapshots]
}

/**
 * The files will be deleted, so this checks that their objects are still there. If not, it moves the ref back and
 * throws.
 */
async function confirm(
  repository: Repository,
  { capture }: CapturedSandbox,
  kept: RefChange & { readonly to: ObjectId },
): Promise<void> {
  const { store, commonDir } = repository.git
  await awaitCollector(commonDir, repository.effects.clock)
  try {
    await diffWithCounts(store, { from: capture.head, to: kept.to })
    if (capture.index_tree !== null) await diffPaths(store, capture.head, capture.index_tree)
    if (capture.verbatim !== null)
      await store.run(['rev-list', '--objects', '--quiet', capture.verbatim.tree])
  } catch (error) {
    await moveRefs(repository, [reverse(kept)])
    throw error
  }
}

/** The sandbox's branch is deleted, because the kept commit contains it. If it is checked out elsewhere, it stays. */
function ownBranch(change: RefChange, elsewhere: readonly string[]): readonly RefChange[] {
  return change.from === null || elsewhere.length > 0 ? [] : [change]
}

/** The newest checkpoint, if any. The kept commit has it as a parent, and so all earlier ones too. */
function newestOf(snapshots: readonly RefChange[]): ObjectId[] {
  const numberOf = ({ ref }: RefChange): number => Number(ref.slice(ref.lastIndexOf('/') + 1))
  const newest = snapshots.toSorted((a, b) => numberOf(a) - numberOf(b)).at(-1)?.from ?? null
  return newest === null ? [] : [newest]
}

/** The checkpoints of a closed sandbox are deleted too. Undo brings them back. */
export async function listSnapshots({ git }: Repository, record: InvocationRecord): Promise<RefChange[]> {
  const prefix = `${SNAPSHOT_REFS}${record.invocation_id}/`
  const listed = await git.store.text(['for-each-ref', '--format=%(refname) %(objectname)', prefix])
  return listed.split('\n').flatMap((line) => {
    const [ref, object] = line.split(' ')
    return ref && object ? [{ ref, from: parseObjectId(object), to: null }] : []
  })
}

export interface LettingGo {
  readonly record: InvocationRecord
  /** Those with `to: null` will be deleted. */
  readonly refs: readonly RefChange[]
  /** When git held everything in the sandbox; null if it never did, and then the files stay. */
  readonly whole_at: number | null
}

/**
 * The caller holds the lock. May be repeated. The records say by now that it is done, so refs that cannot be deleted lead
 * to a sentence and not to an error; doctor finds them.
 */
export async function letSandboxGo(
  repository: Repository,
  { record, refs, whole_at }: LettingGo,
): Promise<string[]> {
  repository.effects.onStep('remove the sandbox')
  await openChangeset(repository, record).remove(whole_at)
  repository.effects.onStep('delete the refs of the sandbox')
  return deleteRefs(repository, refs)
}

/** Deletes those with `to: null`. Returns sentences about those that are still there. */
export async function deleteRefs(repository: Repository, refs: readonly RefChange[]): Promise<string[]> {
  const going = refs.filter(({ to }) => to === null)
  try {
    await moveRefs(repository, going)
    return []
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    const [first] = going
    const which = going.length === 1 ? first?.ref : `${going.length} refs (${first?.ref}, …)`
    return [`${which} could not be deleted: ${error.message}; agency doctor --fix does it`]
  }
}

/** Sentences about what git could not keep. */
export function closingNotes(capture: Capture): string[] {
  if (capture.incomplete.length > 0) {
    return [`git cannot hold ${nameIncomplete(capture)}: all files of the sandbox wait in the trash until gc`]
  }
  return capture.has_ignored ? ['ignored files are not kept'] : []
}

/** As many as a line can hold, each with its reason where that is known. */
export function nameIncomplete({ incomplete, reasons }: Pick<Capture, 'incomplete' | 'reasons'>): string {
  const named = incomplete
    .slice(0, MOST_NAMED)
    .map((path) => (reasons[path] === undefined ? path : `${path} (${reasons[path]})`))
  const more = incomplete.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MOST_NAMED = 10

/**
 * When git held the whole tree; null if there is something that git cannot hold, and then the files themselves are
 * kept.
 */
export const wholeAt = ({ incomplete, begun_at }: Capture): number | null =>
  incomplete.length > 0 ? null : begun_at

export type KeptCommits = ReadonlyMap<string, ObjectId>

/** From the id of an invocation or worktree to the commit that keeps it. */
export const keptCommits = (refs: readonly RefChange[]): KeptCommits =>
  new Map(
    refs.flatMap(({ ref, to }) =>
      ref.startsWith(TRASH_REFS) && to !== null ? [[ref.slice(TRASH_REFS.length), to] as const] : [],
    ),
  )
