// The changeset of any sandbox whose files lie in a work tree on this machine's disk: linked, or with its own
// repository.

import { findCheckouts } from '../../doors/git/find-checkouts.ts'
import { findSubmodule } from '../../doors/git/find-submodule.ts'
import { hasAnswered } from '../../doors/git/git.ts'
import { findOddFiles, NO_READS } from '../../doors/git/git-reads.ts'
import { indexBusy, isIndexLocked } from '../../doors/git/index-lock.ts'
import { linkedHeads } from '../../doors/git/read-head.ts'
import { lstatIfThere } from '../../doors/system/files.ts'
import { INDEX_BOUNDS, oddityAt } from '../../doors/system/regular-file.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { SANDBOX_MARKER } from '../../model/markers.ts'
import { sandboxPath } from '../../model/sandbox-path.ts'
import type { Repository } from '../../store/repository.ts'
import type { Administration } from '../administration.ts'
import type { Capture, Changeset } from '../changeset.ts'
import { isRealDirectory, presenceOnDisk } from '../presence.ts'
import { captureTree } from './capture/capture-tree.ts'
import { compareStates } from './capture/compare-states.ts'
import type { CaptureRequest } from './capture/describe-capture.ts'
import { followTree } from './capture/follow-tree.ts'
import { dropLook, keepLook } from './capture/kept-look.ts'
import { type LeaveOut, NOTHING_LEFT_OUT } from './capture/leave-out.ts'
import { keepCapture } from './keep/keep-capture.ts'
import { keepAllOfItsOwn, keepOwnState } from './keep/keep-own-state.ts'
import { inTheWayOfMarker, writeMarker } from './proof/marker.ts'
import { type OurTree, proveOurs, sandboxTree } from './proof/our-tree.ts'
import { refuseHeld } from './remove/held-store.ts'
import { findLeftOver } from './remove/left-over.ts'
import { removeTree } from './remove/remove-tree.ts'
import { abandonRestore, applyRestore } from './restore/apply-restore.ts'
import { planRestore } from './restore/plan-restore.ts'
import { dropHalfRestored, restoreTree } from './restore/restore-tree.ts'

export interface TreeSandbox {
  readonly repository: Repository
  readonly record: InvocationRecord
  readonly administration: Administration
}

export function openTreeChangeset(sandbox: TreeSandbox): Changeset {
  const { repository, record, administration } = sandbox
  const tree = sandboxTree(repository, record, administration)
  // Throws where the record names a git directory that is none of this repository's.
  administration.git.tree(tree)
  return {
    presence: () => presenceOnDisk(record),
    leftOver: () => findLeftOver(tree),
    isMarked: () => lstatIfThere(`${tree.tree_path}/${SANDBOX_MARKER}`)?.isFile() === true,
    oddFiles: () => findOddFiles({ ...NO_READS, gitDir: tree.git_dir, treePath: tree.tree_path }),
    inTheWayOfMark: () => inTheWayOfMarker(tree.tree_path, SANDBOX_MARKER),
    mark: () => writeMarker(tree.tree_path, SANDBOX_MARKER),
    head: () => administration.heads(tree, record.base_commit).said(),
    ...capturing(sandbox, tree),
    ...removing(sandbox, tree),
    ...restoring(sandbox, tree),
  }
}

type Capturing = 'capture' | 'captureToClose' | 'follow' | 'keepLook' | 'changes' | 'findSubmodule'

function capturing(sandbox: TreeSandbox, tree: OurTree): Pick<Changeset, Capturing> {
  const { repository, record } = sandbox
  const { looked, sandboxDir } = repository.paths.invocation(record.invocation_id)
  return {
    capture: (leaveOut) => captureWhole(sandbox, tree, { leaveOut: leaveOut ?? NOTHING_LEFT_OUT }),
    captureToClose: () => captureWhole(sandbox, tree, { leaveOut: NOTHING_LEFT_OUT, closing: true }),
    keepLook: async () => keepLook(requestOf(sandbox, tree, NOTHING_LEFT_OUT), looked),
    follow: () => followTree({ tree, scratchDir: sandboxDir, fallbackHead: record.base_commit }),
    findSubmodule: (link) => {
      const gitDir = tree.administration.find(tree)
      return findSubmodule({ tree: tree.tree_path, gitDir }, link)
    },
    changes: (range, capture) => compareStates(repository.git.store, range, capture),
  }
}

/** If the agent has damaged a repository of its own, its files are still captured as they lie there. */
async function captureWhole(
  sandbox: TreeSandbox,
  tree: OurTree,
  { leaveOut, closing = false }: { readonly leaveOut: LeaveOut; readonly closing?: boolean },
): Promise<Capture> {
  const { repository, administration } = sandbox
  const request = { ...requestOf(sandbox, tree, leaveOut), closing }
  if (closing) administration.reclaim(tree)
  const isShared = administration.git === repository.git
  const capture = await captureTree(request).catch(isShared ? rethrow : nullWhereDamaged)
  if (capture !== null && (await administration.bringHome(tree, capture))) {
    const own = isShared && !closing ? [] : administration.ownWork(tree)
    return withIncomplete(capture, [
      ...own.filter((path) => closing || isOwnRef(path)),
      ...oddOwnFiles(tree.git_dir),
    ])
  }
  const where = { ...tree, git_dir: `${request.scratchDir}/no-repository` }
  const heads = linkedHeads({ git: repository.git, where, fallbackHead: request.fallbackHead })
  const { looked: _, ...plain } = request
  return withIncomplete(await captureTree({ ...plain, git: repository.git, where, heads }), ['.git'])
}

/** What else git keeps for this tree alone stays where it is until the tree is let go. */
const isOwnRef = (path: string): boolean => path === '.git' || path.startsWith('.git/refs/')

/** Of the tree's own git directory: what an agent has put in their place does not say what they said. */
const oddOwnFiles = (gitDir: string): string[] =>
  ['HEAD', 'index']
    .filter((name) => oddityAt(`${gitDir}/${name}`, INDEX_BOUNDS) !== null)
    .map((name) => `.git/${name}`)

function rethrow(error: unknown): never {
  throw error
}

/**
 * What cannot be read counts too: if it was our own disk, the next capture says so again. A git that was ended before it
 * could say anything says nothing of the repository either.
 */
function nullWhereDamaged(error: unknown): null {
  const unreadable = error instanceof AgencyError && error.code === 'E_FILE_UNREADABLE'
  if (unreadable || hasAnswered(error)) return null
  throw error
}

const withIncomplete = (capture: Capture, paths: readonly string[]): Capture =>
  paths.length === 0
    ? capture
    : { ...capture, incomplete: [...new Set([...capture.incomplete, ...paths])].sort() }

type Removing = 'keep' | 'otherCheckouts' | 'remove' | 'isPackedUp' | 'refuseBusy'

function removing({ repository, record }: TreeSandbox, tree: OurTree): Pick<Changeset, Removing> {
  const { git, paths, effects } = repository
  return {
    keep: async (ref, capture, beside) => {
      proveOurs(repository, tree)
      refuseHeld(git.commonDir, tree.tree_path)
      const at = effects.clock.now()
      const found = { ...tree, git_dir: tree.administration.find(tree) }
      const own = await keepOwnState({ git, where: found, capture, at })
      return keepCapture(git.store, {
        ref,
        subject: `The whole state of ${record.invocation_id} (${record.invocation_name})`,
        branch: record.sandbox_branch,
        capture,
        ...beside,
        also: [...(beside?.also ?? []), ...own],
        at,
      })
    },
    otherCheckouts: async (ref) =>
      (await findCheckouts(repository, ref)).filter((path) => path !== tree.tree_path),
    remove: async (wholeAt) => {
      dropLook(paths.invocation(record.invocation_id).looked)
      removeTree(repository, tree, wholeAt)
    },
    isPackedUp: () => tree.administration.isPackedUp(tree),
    refuseBusy: (since) => {
      if (isIndexLocked(tree.git_dir, since)) throw indexBusy(tree.git_dir)
    },
  }
}

type Restoring =
  | 'remake'
  | 'salvage'
  | 'keepOwnState'
  | 'dropHalfMade'
  | 'relocate'
  | 'planRestore'
  | 'restore'
  | 'abandonRestore'

const restoring = ({ repository }: TreeSandbox, tree: OurTree): Pick<Changeset, Restoring> => ({
  remake: async (commit) => {
    const { git_dir, notes } = await restoreTree(repository, tree, commit)
    return { git_dir: sandboxPath(git_dir), notes }
  },
  salvage: () => tree.administration.salvage(tree),
  keepOwnState: async (head) => {
    const where = { ...tree, git_dir: tree.administration.find(tree) }
    if (!tree.administration.isOf(where)) return []
    return keepAllOfItsOwn({ git: repository.git, where, head, at: repository.effects.clock.now() })
  },
  dropHalfMade: () => dropHalfRestored(repository, tree),
  relocate: () => sandboxPath(tree.administration.find(tree)),
  planRestore: (states) => planRestore(repository, { ...states, tree }),
  restore: (journal, again = false) => applyRestore(repository, tree, { journal, again }),
  abandonRestore: (journal) => abandonRestore(repository, tree, journal),
})

function requestOf(
  { repository, record, administration }: TreeSandbox,
  tree: OurTree,
  leaveOut: LeaveOut,
): CaptureRequest {
  if (!isRealDirectory(tree.tree_path)) {
    throw new AgencyError('E_INVOCATION_BROKEN', `its sandbox is missing: ${tree.tree_path}`)
  }
  const { sandboxDir, looked } = repository.paths.invocation(record.invocation_id)
  const { finished_at, base_commit } = record
  return {
    git: administration.git,
    where: tree,
    heads: administration.heads(tree, base_commit),
    fallbackHead: base_commit,
    scratchDir: sandboxDir,
    looked: { dir: looked, since: finished_at === null ? null : Date.parse(finished_at) },
    leaveOut,
  }
}
