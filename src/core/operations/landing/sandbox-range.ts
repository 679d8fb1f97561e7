// Finds which commits are the sandbox's own and how they are connected: that decides in which way they land.

import type { Git } from '../../doors/effects.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { MARKER_DIR } from '../../model/markers.ts'

export interface RangeRequest {
  /** The commit at which the sandbox began. */
  readonly base: ObjectId
  /** Its HEAD now. */
  readonly tip: ObjectId
  /** Where the integration branch is. */
  readonly head: ObjectId
}

export interface SandboxRange {
  /**
   * linear: a chain of commits from the base. merges: the sandbox and the branch both grew from the base, and there are
   * merges. elsewhere: one of the two did not grow from it (rebased, reset, another history). none: HEAD is where it
   * began.
   */
  readonly shape: 'none' | 'linear' | 'merges' | 'elsewhere'
  /** Commits that the integration branch does not have, oldest first. */
  readonly fresh: readonly RangeCommit[]
  /** Commits that the integration branch has already. */
  readonly already: readonly ObjectId[]
  /** How many of the fresh commits are also on a branch that is not ours. */
  readonly foreign: number
  /** A commit of the chain that touches `.agency/`. */
  readonly marker: ObjectId | null
}

export interface RangeCommit {
  readonly id: ObjectId
  readonly parents: readonly ObjectId[]
}

export async function readSandboxRange(store: Git, request: RangeRequest): Promise<SandboxRange> {
  const { base, tip, head } = request
  if (tip === base) return { shape: 'none', fresh: [], already: [], foreign: 0, marker: null }
  const [fresh, foreign, marker] = await Promise.all([
    listCommits(store, [tip, `^${base}`, `^${head}`]),
    countForeign(store, request),
    findMarker(store, request),
  ])
  const whole = head === base || isChainFrom(base, fresh)
  const all = whole ? fresh : await listCommits(store, [tip, `^${base}`])
  const freshIds = new Set(fresh.map((commit) => commit.id))
  return {
    shape: await historyShape(store, all, request),
    fresh,
    already: all.map((commit) => commit.id).filter((id) => !freshIds.has(id)),
    foreign: fresh.length - foreign,
    marker,
  }
}

/** If so, no other commit lies between base and tip, whether the branch has it or not. */
const isChainFrom = (base: ObjectId, commits: readonly RangeCommit[]): boolean =>
  commits[0]?.parents[0] === base && commits.every(({ parents }) => parents.length === 1)

async function listCommits(store: Git, range: readonly string[]): Promise<RangeCommit[]> {
  const lines = await store.text(['rev-list', '--reverse', '--topo-order', '--parents', ...range])
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', ...parents] = line.split(' ')
      return { id: parseObjectId(id), parents: parents.map(parseObjectId) }
    })
}

/**
 * How many of the fresh commits no other branch has. A rebase onto a branch that the worktree lacks brings in that
 * branch's commits.
 */
async function countForeign(store: Git, { base, tip, head }: RangeRequest): Promise<number> {
  const others = ['--not', '--exclude=agency/*', '--branches', '--remotes']
  return Number.parseInt(
    await store.text(['rev-list', '--count', tip, `^${base}`, `^${head}`, ...others]),
    10,
  )
}

async function findMarker(store: Git, { base, tip, head }: RangeRequest): Promise<ObjectId | null> {
  const range = [tip, `^${base}`, `^${head}`]
  const found = await store.text(['rev-list', '-n', '1', '--full-history', ...range, '--', MARKER_DIR])
  return found === '' ? null : parseObjectId(found)
}

async function historyShape(
  store: Git,
  all: readonly RangeCommit[],
  { base, tip, head }: RangeRequest,
): Promise<SandboxRange['shape']> {
  const merges = all.some((commit) => commit.parents.length !== 1)
  if (!merges) return all[0]?.parents[0] === base ? 'linear' : 'elsewhere'
  // git finds the merge base by itself. If the branch does not contain our base, git's lies further back, and commits
  // from before the base would land too, which no diff has shown.
  const grown = await Promise.all([isAncestor(store, base, tip), isAncestor(store, base, head)])
  return grown.every(Boolean) ? 'merges' : 'elsewhere'
}

const isAncestor = async (store: Git, commit: ObjectId, of: ObjectId): Promise<boolean> =>
  (await store.run(['merge-base', '--is-ancestor', commit, of], { answers: [1] })).exitCode === 0
