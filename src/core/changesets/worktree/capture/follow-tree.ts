// Captures the same tree again and again. If the changed paths are known, the next capture costs the same in a tree of
// any size: it starts from the last look at the whole tree, which is good for as long as HEAD, the index and the rules
// stay as they were then.

import { diffPaths } from '../../../doors/git/compare-trees.ts'
import { type GitStamp, readGitStamp, readIndexTree } from '../../../doors/git/index-stamp.ts'
import { storesPlainly } from '../../../doors/git/stores-plainly.ts'
import { AgencyError } from '../../../model/errors.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { showRaw } from '../../../model/raw-bytes.ts'
import type { Capture, CaptureStep, Follower, StepRequest } from '../../changeset.ts'
import type { OurTree } from '../proof/our-tree.ts'
import { type Before, captureByPaths, type PathChanges } from './capture-by-paths.ts'
import { findOuterRules, type OuterRules } from './outer-rules.ts'

export interface FollowRequest {
  readonly tree: OurTree
  /** An existing directory of ours. */
  readonly scratchDir: string
  readonly fallbackHead: ObjectId
}

/** What the last call saw, from which the next step starts. */
interface Footing {
  readonly stamp: GitStamp
  readonly before: Before
  /** The index was found to be an ordinary one. */
  readonly ordinary: boolean
  readonly outer: OuterRules
}

export function followTree(request: FollowRequest): Follower {
  const { tree } = request
  const { git } = tree.administration
  let footing: Footing | null = null
  /** The newest footing, even if a step cannot start from it. */
  let last: Footing | null = null
  const stand = (to: Footing | null): void => {
    footing = to
    last = to
  }
  let plainly: boolean | null = null
  let outer: OuterRules | null = null
  return {
    standsOn: () => footing?.before ?? null,
    look: async (take) => {
      const from = last
      stand(null)
      const tied = git.tree(tree)
      outer ??= await findOuterRules(tied, tree.tree_path, git.commonDir)
      const stamp = gitStampOf(request, outer)
      const taken = await take()
      plainly ??= await storesPlainly(tied)
      const to = plainly ? findFooting(request, { stamp, outer }, taken.capture) : null
      stand(to)
      return { ...taken, differing: () => compareFootings(request, from, to) }
    },
    step: async (wanted) => {
      const from = footing
      footing = null
      const changed = from === null ? null : await findStep(request, from, wanted).catch(orLook)
      return changed === null ? null : captureStepOf(changed, stand)
    },
  }
}

/** Where git cannot do it by paths, because files come and go, a look at the whole tree may still work. */
function orLook(error: unknown): null {
  if (error instanceof AgencyError && error.code === 'E_GIT_FAILED') return null
  throw error
}

const gitStampOf = ({ tree }: FollowRequest, outer: OuterRules): GitStamp =>
  readGitStamp(
    { git_dir: tree.git_dir, refsDir: tree.administration.refsDir(tree) },
    tree.administration.git.commonDir,
    outer.ignoring,
  )

interface Changed {
  readonly footing: Footing
  readonly changes: PathChanges
}

async function findStep(
  { tree, scratchDir }: FollowRequest,
  from: Footing,
  { paths, leaveOut, importer }: StepRequest,
): Promise<Changed | null> {
  const stamp = confirmStamp({ tree, from })
  if (stamp === null) return null
  const { before, outer } = from
  const { git } = tree.administration
  const changes = await captureByPaths({
    git,
    where: tree,
    scratchDir,
    paths,
    before,
    outer,
    leaveOut,
    importer,
  })
  if (changes === null) return null
  return { changes, footing: { ...from, stamp, before: { ...before, excluded: changes.excluded } } }
}

function captureStepOf({ footing, changes }: Changed, stand: (to: Footing) => void): CaptureStep {
  const { before } = footing
  return {
    before,
    changes,
    settle: (state_tree) => stand({ ...footing, before: { ...before, state_tree } }),
  }
}

/**
 * The present stamp, if HEAD, the index and the rules are as they were; null where they are not, or where finding out
 * is not cheap.
 */
function confirmStamp({ tree, from }: { tree: OurTree; from: Footing }): GitStamp | null {
  const { stamp, before, ordinary, outer } = from
  if (!ordinary) return null
  const now = gitStampOf({ tree, scratchDir: '', fallbackHead: before.head }, outer)
  if (now.head !== stamp.head || now.refs !== stamp.refs || now.rules !== stamp.rules) return null
  if (now.index === stamp.index) return now
  return readIndexTree(tree, before.head.length / 2) === before.staged_tree ? now : null
}

/** null where the changed paths can never be enough. */
function findFooting(
  { tree, fallbackHead }: FollowRequest,
  { stamp, outer }: Pick<Footing, 'stamp' | 'outer'>,
  capture: Capture,
): Footing | null {
  const said_head = tree.administration.heads(tree, fallbackHead).said()
  if (capture.unborn || stamp.head === null || said_head === null) return null
  const { head, head_tree, state_tree, excluded, incomplete, verbatim } = capture
  const staged_tree = capture.index_tree ?? head_tree
  const ordinary = readIndexTree(tree, head.length / 2) !== undefined
  const before = { said_head, head, head_tree, staged_tree, state_tree, excluded, incomplete, verbatim }
  return { stamp, before, ordinary, outer }
}

async function compareFootings(
  { tree }: FollowRequest,
  from: Footing | null,
  to: Footing | null,
): Promise<string[] | null> {
  if (from === null || to === null) return null
  const [a, b] = [from.before, to.before]
  const moved = a.head !== b.head || a.staged_tree !== b.staged_tree || from.stamp.rules !== to.stamp.rules
  if (moved || !from.ordinary || !to.ordinary) return null
  if (a.state_tree === b.state_tree) return []
  const { store } = tree.administration.git
  return (await diffPaths(store, a.state_tree, b.state_tree)).changes.map(({ path }) => showRaw(path))
}
