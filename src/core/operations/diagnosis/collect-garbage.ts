// Deletes what was kept for undo longer than the person wants, and what killed commands have left behind. Touches only
// what has a name of ours and lies in a place of ours.

import { listBegun } from '../../changesets/begun.ts'
import { dropHalfMade } from '../../changesets/half-made.ts'
import { isRealDirectory } from '../../changesets/presence.ts'
import { removeBegunWorktree } from '../../doors/git/begun-worktrees.ts'
import { moveRefs } from '../../doors/git/move-refs.ts'
import { isRefusedByGit } from '../../doors/git/ref-failure.ts'
import type { Collected } from '../../facade/diagnosing.ts'
import { CHECKPOINT_DEFAULTS, type CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { AgencyError } from '../../model/errors.ts'
import { parseObjectId } from '../../model/ids.ts'
import type { RefChange } from '../../model/operation.ts'
import { TRASH_REFS } from '../../model/refs.ts'
import type { Repository } from '../../store/repository.ts'
import { listTrashedTrees } from '../../store/trash.ts'
import { collectCheckpoints } from '../checkpoints/collect-checkpoints.ts'
import { listLeftTrees } from '../sandboxes/left-trees.ts'
import { recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { clearLeftBehind, listLeftBehind } from './left-behind.ts'

export interface GarbageOptions {
  /** For how many days discarded work can be brought back. */
  readonly keep_days: number
  readonly dry_run: boolean
  /** How checkpoints are thinned out. */
  readonly settings?: CheckpointSettings
}

const DAY = 24 * 60 * 60 * 1000
/** With dry_run it only says what it would do. */
export function collectGarbage(repository: Repository, options: GarbageOptions): Promise<Collected> {
  return repository.locked(async () => {
    const { dry_run, settings = CHECKPOINT_DEFAULTS } = options
    if (!dry_run) await recoverInterrupted(repository)
    const leftOvers = [
      ...(await finishLeftOvers(repository, dry_run)),
      ...(await dropHalfMade(repository, dry_run)),
      ...dropBegun(repository, dry_run),
    ]
    const before = repository.effects.clock.now().getTime() - options.keep_days * DAY
    const old = await dropOldRefs(repository, { before, dry_run })
    const checkpoints = await collectCheckpoints(repository, { dropped: old, dry_run, settings })
    const dropped_refs = [...old, ...checkpoints.refs]
    const trees = deleteOldTrees(repository, { before, dry_run })
    const passing = deleteLeftBehind(repository, dry_run)
    return { dropped_refs, deleted_paths: [...leftOvers, ...trees, ...checkpoints.paths, ...passing] }
  })
}

/** Removes the trees of closed records: a kill came after the record was closed and before the tree was deleted. */
async function finishLeftOvers(repository: Repository, dryRun: boolean): Promise<string[]> {
  const left = listLeftTrees(repository)
  if (dryRun) return left.filter(({ undone }) => !undone).map(({ path }) => path)
  const finished: string[] = []
  for (const { path, undone, settle } of left) if ((await trySettle(settle)) && !undone) finished.push(path)
  return finished
}

/** What cannot be settled keeps nobody from the rest; doctor names it. */
async function trySettle(settle: () => Promise<void>): Promise<boolean> {
  try {
    await settle()
    return true
  } catch (error) {
    if (error instanceof AgencyError) return false
    throw error
  }
}

/** What a killed `git worktree add` left. */
function dropBegun(repository: Repository, dryRun: boolean): string[] {
  const begun = listBegun(repository)
  return dryRun ? begun : begun.filter((dir) => removeBegunWorktree(repository, dir))
}

interface Threshold {
  /** Milliseconds since the epoch: what was kept before this is deleted. */
  readonly before: number
  readonly dry_run: boolean
}

async function dropOldRefs(repository: Repository, { before, dry_run }: Threshold): Promise<string[]> {
  const format = '--format=%(refname) %(objectname) %(committerdate:unix)'
  const listed = await repository.git.store.text(['for-each-ref', format, TRASH_REFS])
  const old = listed.split('\n').flatMap((line) => {
    const [ref, object, seconds] = line.split(' ')
    if (!ref || !object || !seconds || Number(seconds) * 1000 >= before) return []
    return [{ ref, from: parseObjectId(object), to: null }]
  })
  repository.effects.onStep('drop old refs')
  const gone = dry_run ? old : await dropRefs(repository, old)
  return gone.map(({ ref }) => ref)
}

/** At once; where one of them is locked, one by one. What cannot be dropped stays until the next time. */
async function dropRefs(repository: Repository, refs: readonly RefChange[]): Promise<RefChange[]> {
  const gone: RefChange[] = []
  const attempts = [refs, ...refs.map((ref) => [ref])]
  for (const some of attempts) {
    try {
      await moveRefs(repository, some)
      gone.push(...some)
      if (some === refs) break
    } catch (error) {
      if (!isRefusedByGit(error)) throw error
    }
  }
  return gone
}

/**
 * What waits goes when it is old enough. A tree that does not wait was being deleted when its deleter was killed, so it
 * goes now. Where a link leads to the trash, nothing goes.
 */
function deleteOldTrees({ effects, paths }: Repository, { before, dry_run }: Threshold): string[] {
  const trashed = isRealDirectory(paths.trashDir) ? listTrashedTrees(paths) : []
  const old = trashed.filter(({ state, at }) => state === 'going' || at.getTime() < before)
  effects.onStep('delete old trees')
  if (!dry_run) for (const { path } of old) effects.processes.deleteLater(path)
  return old.map(({ path }) => path)
}

function deleteLeftBehind(repository: Repository, dryRun: boolean): string[] {
  const left = listLeftBehind(repository)
  repository.effects.onStep('delete what kills left behind')
  if (!dryRun) clearLeftBehind(repository, left)
  return left
}
