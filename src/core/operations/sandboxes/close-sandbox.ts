// The two halves of closing a sandbox: keep everything it holds, then let it go. Records are written between them, so
// that at no moment is there a tree without a ref or a record without a way back.

import type { Capture } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import { awaitCollector } from '../../doors/git/collector.ts'
import { diffPaths, diffWithCounts } from '../../doors/git/compare-trees.ts'
import { moveRefs, reverse } from '../../doors/git/move-refs.ts'
import { readTips } from '../../doors/git/read-tips.ts'
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

/** The caller holds the lock. The refs that closing this sandbox moves: its kept state is there when this resolves. */
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

/** The files are deleted next: all of them are in objects that are still there. Else the ref goes back. */
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
  } catch (error) {
    await moveRefs(repository, [reverse(kept)])
    throw error
  }
}

/** Its branch goes with it: the kept commit holds it. One that is checked out elsewhere stays. */
function ownBranch(change: RefChange, elsewhere: readonly string[]): readonly RefChange[] {
  return change.from === null || elsewhere.length > 0 ? [] : [change]
}

/** The kept commit holds it, and through its parents all before it. */
function newestOf(snapshots: readonly RefChange[]): ObjectId | null {
  const numberOf = ({ ref }: RefChange): number => Number(ref.slice(ref.lastIndexOf('/') + 1))
  return snapshots.toSorted((a, b) => numberOf(a) - numberOf(b)).at(-1)?.from ?? null
}

/** The checkpoints of a closed sandbox go too; undo brings them back. */
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
  /** Those with `to: null` are deleted. */
  readonly refs: readonly RefChange[]
  /** When git held the whole sandbox. null where it never did: then the files stay. */
  readonly whole_at: number | null
}

/** The caller holds the lock; may be done twice. */
export async function letSandboxGo(
  repository: Repository,
  { record, refs, whole_at }: LettingGo,
): Promise<void> {
  repository.effects.onStep('remove the sandbox')
  await openChangeset(repository, record).remove(whole_at)
  repository.effects.onStep('delete the refs of the sandbox')
  await moveRefs(
    repository,
    refs.filter(({ to }) => to === null),
  )
}

/** Sentences about what git could not keep. */
export function closingNotes({ incomplete, has_ignored }: Capture): string[] {
  if (incomplete.length > 0) {
    return [`git cannot hold ${incomplete.join(', ')}: all files of the sandbox wait in the trash until gc`]
  }
  return has_ignored ? ['ignored files are not kept'] : []
}

/** null where git holds less than the tree: the files themselves are kept. */
export const wholeAt = ({ incomplete, begun_at }: Capture): number | null =>
  incomplete.length > 0 ? null : begun_at

export type KeptCommits = ReadonlyMap<string, ObjectId>

/** Id of an invocation or worktree -> the commit that keeps it. */
export const keptCommits = (refs: readonly RefChange[]): KeptCommits =>
  new Map(
    refs.flatMap(({ ref, to }) =>
      ref.startsWith(TRASH_REFS) && to !== null ? [[ref.slice(TRASH_REFS.length), to] as const] : [],
    ),
  )
