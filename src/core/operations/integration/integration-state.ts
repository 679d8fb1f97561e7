// The end of the person's own tree when its worktree is removed. What it holds beside the branch is kept first.

import { join } from 'node:path'
import type { Capture, LeftOver } from '../../changesets/changeset.ts'
import { captureTree } from '../../changesets/worktree/capture/capture-tree.ts'
import { keepCapture } from '../../changesets/worktree/keep/keep-capture.ts'
import { keepOwnState } from '../../changesets/worktree/keep/keep-own-state.ts'
import { bearsMarker, integrationTree, proveOurs } from '../../changesets/worktree/proof/our-tree.ts'
import { refuseHeld } from '../../changesets/worktree/remove/held-store.ts'
import { findLeftOver } from '../../changesets/worktree/remove/left-over.ts'
import { removeTree } from '../../changesets/worktree/remove/remove-tree.ts'
import { dropHalfRestored } from '../../changesets/worktree/restore/restore-tree.ts'
import { isLinkedTo } from '../../doors/git/linked-worktrees.ts'
import { linkedHeads } from '../../doors/git/read-head.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { lstatIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { isMarkerPath } from '../../model/markers.ts'
import type { RefChange } from '../../model/operation.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { nameIncomplete, trashRef, wholeAt } from '../sandboxes/close-sandbox.ts'

export interface CapturedTree {
  readonly capture: Capture
  readonly dirty: boolean
  /** Sentences for the person. */
  readonly notes: readonly string[]
}

/** If the person has deleted the tree by hand, it counts as a clean checkout of its branch. */
export async function captureIntegration(
  repository: Repository,
  worktree: WorktreeRecord,
): Promise<CapturedTree> {
  const { administration } = integrationTree(repository, worktree)
  administration.reclaim(worktree)
  const capture =
    lstatIfThere(worktree.tree_path)?.isDirectory() === true
      ? await captureTree({
          git: repository.git,
          where: worktree,
          heads: linkedHeads({ git: repository.git, where: worktree, fallbackHead: worktree.known_head }),
          scratchDir: repository.paths.worktree(worktree.worktree_id).dir,
          fallbackHead: worktree.known_head,
          closing: true,
        })
      : await branchAsCapture(repository, worktree)
  const own = administration.ownWork(worktree)
  const incomplete = [...new Set([...capture.incomplete, ...own])].sort()
  const unheld = Object.keys(capture.reasons).some((path) => !isMarkerPath(path))
  const dirty = capture.dirty || capture.index_tree !== null || unheld
  const whole = { ...capture, incomplete }
  return { capture: whole, dirty, notes: removalNotes(worktree, dirty, whole) }
}

function removalNotes({ name }: WorktreeRecord, dirty: boolean, capture: Capture): string[] {
  const edits = dirty ? [`your edits in ${name} are kept for undo`] : []
  if (capture.incomplete.length === 0) return edits
  return [
    ...edits,
    `git cannot hold ${nameIncomplete(capture)}: all files of ${name} wait in the trash until gc`,
  ]
}

/**
 * As git itself would refuse to remove the tree. Whether a submodule has something that is nowhere else is not asked:
 * the answer would be in settings and objects that agents can write. Throws E_WORKTREE_DIRTY, E_INTEGRATION_BUSY.
 */
export function refuseUnlessTidy(
  { name, tree_path }: WorktreeRecord,
  { capture, dirty }: CapturedTree,
): void {
  if (capture.incomplete.includes('.git/index')) {
    throw new AgencyError('E_INTEGRATION_BUSY', `files with conflicts are in ${tree_path}`)
  }
  if (dirty) throw new AgencyError('E_WORKTREE_DIRTY', `${name} has edits that are not committed`)
  const isRepository = (path: string): boolean => lstatIfThere(join(tree_path, path, '.git')) !== null
  const nested = capture.incomplete.filter((path) => path === '.git/modules' || isRepository(path))
  if (nested.length === 0) return
  throw new AgencyError('E_WORKTREE_DIRTY', `${name} has repositories in it: ${nested.join(', ')}`, {
    hint: `push what they have, or: agency worktree rm ${name} --force (all of it is kept for undo)`,
  })
}

async function branchAsCapture({ git }: Repository, worktree: WorktreeRecord): Promise<Capture> {
  const ref = `refs/heads/${worktree.branch}`
  const tip = await readTip(git.store, ref)
  const head = tip ?? worktree.known_head
  const head_tree = await git.store.object(['rev-parse', '--verify', `${head}^{tree}`])
  return {
    head,
    head_tree,
    head_ref: tip === null ? null : ref,
    unborn: false,
    index_tree: null,
    state_tree: head_tree,
    dirty: false,
    incomplete: [],
    reasons: {},
    verbatim: null,
    has_ignored: false,
    excluded: [],
    begun_at: Date.now(),
  }
}

/** The caller holds the lock. The branch is among the refs but does not move: undo needs it where it is. */
export async function keepIntegration(
  repository: Repository,
  worktree: WorktreeRecord,
  { capture }: CapturedTree,
): Promise<RefChange[]> {
  const { store } = repository.git
  const tree = integrationTree(repository, worktree)
  proveOurs(repository, tree)
  refuseHeld(repository.git.commonDir, tree.tree_path)
  const ref = trashRef(worktree.worktree_id)
  const before = await readTip(store, ref)
  repository.effects.onStep('keep the worktree')
  const at = repository.effects.clock.now()
  const also = await keepOwnState({ git: repository.git, where: worktree, capture, at })
  const commit = await keepCapture(store, {
    ref,
    subject: `The whole state of the worktree ${worktree.name}`,
    branch: worktree.branch,
    capture,
    also,
    at,
  })
  const branch = `refs/heads/${worktree.branch}`
  const tip = await readTip(store, branch)
  return [
    { ref, from: before, to: commit },
    { ref: branch, from: tip, to: tip },
  ]
}

/** The caller holds the lock. May be repeated. */
export async function letIntegrationGo(
  repository: Repository,
  worktree: WorktreeRecord,
  { capture }: CapturedTree,
): Promise<void> {
  repository.effects.onStep('remove the worktree')
  const whole = capture.has_ignored ? null : wholeAt(capture)
  removeTree(repository, integrationTree(repository, worktree), whole)
}

/** What is left of the tree of an archived worktree. Another directory in its place is somebody else's. */
export function leftOfIntegration(repository: Repository, worktree: WorktreeRecord): LeftOver | null {
  const tree = integrationTree(repository, worktree)
  const left = findLeftOver(tree)
  const isOurs =
    bearsMarker(tree) ||
    isLinkedTo(tree.tree_path, tree.administration.find(tree)) ||
    tree.administration.isPackedUp(tree)
  return left === 'whole' && !isOurs ? null : left
}

/** Finishes a removal that was killed after its record was written. Returns null if nothing is left to do. */
export async function finishIntegration(
  repository: Repository,
  worktree: WorktreeRecord,
): Promise<string[] | null> {
  const left = leftOfIntegration(repository, worktree)
  if (left === null) return null
  const tree = integrationTree(repository, worktree)
  if (left === 'half restored') dropHalfRestored(repository, tree)
  else removeTree(repository, tree, null)
  return left === 'whole' ? ['the files of its tree wait in the trash until gc'] : []
}
