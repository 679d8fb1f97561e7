// Drops trees whose maker was killed before it wrote their record: all that is left is an id, a branch, and a directory
// with no file in it. A tree is registered under the lock, so whoever holds the lock never sees one that is still being
// made.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { adminDirsOf, removeAddedTree } from '../doors/git/linked-worktrees.ts'
import { isDirectoryItself, listNames, lstatIfThere } from '../doors/system/files.ts'
import { invocationIdSchema, type ObjectId, parseObjectId } from '../model/ids.ts'
import { INTEGRATION_MARKER, MARKER_DIR, SANDBOX_MARKER } from '../model/markers.ts'
import { inspectRecord, isBroken, listInvocationIds } from '../store/invocations.ts'
import type { Repository } from '../store/repository.ts'
import { listWorktrees } from '../store/worktrees.ts'
import { knownPath } from './location.ts'
import { allChangesetKinds } from './open-changeset.ts'
import { FILLED } from './worktree/make/filled-stamp.ts'

interface HalfMade {
  readonly tree: string
  /** Directories to delete: there is nothing in them but the tree. */
  readonly dirs: readonly string[]
  /** Whether the branch is named as we would name the branch of this id. */
  readonly isItsBranch: (branch: string) => boolean
  /** What a branch alone has is not ours to decide about: either the branch stays, or all of it does. */
  readonly sparesBranch: boolean
}

interface BranchTip {
  readonly branch: string
  readonly tip: ObjectId
}

/** The caller holds the lock. Returns the directories that go. */
export async function dropHalfMade(repository: Repository, dryRun: boolean): Promise<string[]> {
  const candidates = listCandidates(repository).filter((one) => isHalfMade(repository, one))
  if (candidates.length === 0) return []
  const loose = await listLooseBranches(repository)
  // Two of them may have begun at a commit that is nowhere else by now: neither branch keeps it once both are dropped.
  const own = loose.filter(({ branch }) => candidates.some((one) => one.isItsBranch(branch)))
  const elsewhere = await selectElsewhereToo(repository, own)
  const dropped: string[] = []
  for (const one of candidates) {
    const isIts = ({ branch }: BranchTip): boolean => one.isItsBranch(branch)
    const going = elsewhere.filter(isIts)
    // A branch with commits that no other branch has is somebody's work.
    if (going.length < own.filter(isIts).length && !one.sparesBranch) continue
    dropped.push(...one.dirs)
    repository.effects.onStep('drop what was half made')
    if (!dryRun) await drop(repository, one, going)
  }
  return dropped
}

async function drop(
  { git }: Repository,
  { tree, dirs }: HalfMade,
  branches: readonly BranchTip[],
): Promise<void> {
  for (const { branch, tip } of branches) {
    await removeAddedTree(git, { tree_path: tree, branch, start: tip })
  }
  for (const admin of adminDirsOf(git.commonDir, tree)) rmSync(admin, { recursive: true })
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
}

function listCandidates({ paths }: Repository): HalfMade[] {
  const isId = (id: string): boolean => invocationIdSchema.safeParse(id).success
  const worktrees = listNames(paths.worktreesDir)
    .filter(isId)
    .map((id) => {
      const { dir, tree } = paths.worktree(id)
      const isItsBranch = (branch: string): boolean =>
        branch.endsWith(`-${id.slice(-4)}`) && !branch.startsWith(SANDBOX_BRANCHES)
      // The branch it began at may have been moved since.
      return { tree, dirs: [dir], isItsBranch, sparesBranch: true }
    })
  // A kill may have come before the directory of the record was made, or after doctor has taken it away.
  const sandboxes = [...new Set([...listNames(paths.invocationsDir), ...listNames(paths.sandboxesDir)])]
    .filter(isId)
    .map((id) => {
      const { dir, sandboxDir, tree } = paths.invocation(id)
      const dirs = [dir, sandboxDir].filter((path) => lstatIfThere(path) !== null)
      return {
        tree: knownPath(tree),
        dirs,
        isItsBranch: (branch: string) => branch === `${SANDBOX_BRANCHES}${id}`,
        sparesBranch: false,
      }
    })
  return [...worktrees, ...sandboxes]
}

const SANDBOX_BRANCHES = 'agency/sandbox-'

/** A tree with files or an index has been worked in, so it is not half made: an agent may have deleted the record. */
function isHalfMade(repository: Repository, { tree, dirs }: HalfMade): boolean {
  const bare = dirs.every((dir) => isDirectoryItself(dir) && listNames(dir).every(isPartOfMaking))
  const gitDirs = allChangesetKinds().flatMap(({ makings }) => makings.gitDirs(repository, tree))
  if (!bare || gitDirs.some((dir) => lstatIfThere(join(dir, 'index')) !== null)) return false
  return lstatIfThere(tree) === null || (isDirectoryItself(tree) && listNames(tree).every(isOfMaking(tree)))
}

const isPartOfMaking = (name: string): boolean =>
  name === 'tree' ||
  /^meta\.json\.\d+$/.test(name) ||
  name.startsWith(FILLED) ||
  allChangesetKinds().some(({ makings }) => makings.beside.includes(name))

const MARKERS: readonly string[] = [INTEGRATION_MARKER, SANDBOX_MARKER, `${MARKER_DIR}/.gitignore`]

/** Whether an entry of the tree is git's link, or our own directory with nothing in it but what we put there. */
const isOfMaking =
  (tree: string) =>
  (name: string): boolean => {
    const path = join(tree, name)
    if (name === '.git') return lstatIfThere(path)?.isFile() === true
    if (name !== MARKER_DIR || !isDirectoryItself(path)) return false
    return listNames(path).every((entry) => MARKERS.includes(`${MARKER_DIR}/${entry}`))
  }

/** Our branches that no record names. */
async function listLooseBranches({ git, paths }: Repository): Promise<BranchTip[]> {
  const known = new Set([
    ...listWorktrees(paths).map(({ branch }) => branch),
    ...listInvocationIds(paths).flatMap((id) => {
      const found = inspectRecord(paths, id)
      return found === null || isBroken(found) ? [] : found.sandbox_branch
    }),
  ])
  const format = '--format=%(refname:lstrip=2) %(objectname)'
  const listed = await git.store.text(['for-each-ref', format, 'refs/heads/agency/'])
  return listed.split('\n').flatMap((line) => {
    const [branch, tip] = line.split(' ')
    return branch && tip && !known.has(branch) ? [{ branch, tip: parseObjectId(tip) }] : []
  })
}

/** Those whose commits other branches have than these. */
async function selectElsewhereToo({ git }: Repository, branches: readonly BranchTip[]): Promise<BranchTip[]> {
  const own = new Set(branches.map(({ branch }) => branch))
  const found: BranchTip[] = []
  for (const one of branches) {
    const args = ['for-each-ref', '--format=%(refname:lstrip=2)', '--contains', one.tip, 'refs/heads/']
    const containing = (await git.store.text(args)).split('\n')
    if (containing.some((branch) => branch !== '' && !own.has(branch))) found.push(one)
  }
  return found
}
