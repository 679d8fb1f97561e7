// Trees whose maker was killed before it wrote their record: an id, a branch and a directory without a file in it. They
// are registered under the lock, so that whoever holds it sees none that is still being made.

import { rmSync } from 'node:fs'
import { listNames, lstatIfThere } from '../effects/files.ts'
import { adminDirsOf, removeAddedTree } from '../effects/linked-tree.ts'
import { invocationIdSchema, type ObjectId, parseObjectId } from '../model/ids.ts'
import { listInvocations } from '../store/invocations.ts'
import { MARKER_DIR } from '../store/paths.ts'
import type { Repository } from '../store/repository.ts'
import { listWorktrees } from '../store/worktrees.ts'

interface HalfMade {
  readonly id: string
  readonly tree: string
  /** Directories that go, each with nothing in it but the tree. */
  readonly dirs: readonly string[]
}

/** The caller holds the lock. Answers the directories. */
export async function dropHalfMade(repository: Repository, dryRun: boolean): Promise<string[]> {
  const candidates = listHalfMade(repository)
  if (candidates.length === 0) return []
  const dropped: string[] = []
  const known = knownBranches(repository)
  for (const { id, tree, dirs } of candidates) {
    const branches = await listBranches(repository, id, known)
    // One that holds commits of its own is somebody's work.
    if (!(await areElsewhereToo(repository, branches))) continue
    dropped.push(...dirs)
    repository.effects.onStep('drop what was half made')
    if (!dryRun) await drop(repository, { id, tree, dirs, branches })
  }
  return dropped
}

async function drop({ git }: Repository, { tree, dirs, branches }: HalfMade & { branches: readonly Tip[] }) {
  for (const { branch, tip } of branches) {
    await removeAddedTree(git, { tree_path: tree, branch, start: tip })
  }
  for (const admin of adminDirsOf(git.commonDir, tree)) rmSync(admin, { recursive: true })
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
}

function listHalfMade({ paths }: Repository): HalfMade[] {
  const worktrees = listNames(paths.worktreesDir).map((id) => {
    const { dir, tree } = paths.worktree(id)
    return { id, tree, dirs: [dir] }
  })
  const sandboxes = listNames(paths.invocationsDir).map((id) => {
    const { dir, sandboxDir, tree } = paths.invocation(id)
    return { id, tree, dirs: [dir, sandboxDir].filter((path) => lstatIfThere(path) !== null) }
  })
  return [...worktrees, ...sandboxes].filter(isHalfMade)
}

/** Nothing in it but a tree without files: an agent can delete a record, and its work must not go with that. */
function isHalfMade({ id, tree, dirs }: HalfMade): boolean {
  if (!invocationIdSchema.safeParse(id).success || !dirs.every(isRealDirectory)) return false
  if (!dirs.every((dir) => listNames(dir).every((name) => name === 'tree'))) return false
  return lstatIfThere(tree) === null || (isRealDirectory(tree) && listNames(tree).every(isEmptyTrees))
}

const isEmptyTrees = (name: string): boolean => name === '.git' || name === MARKER_DIR
const isRealDirectory = (path: string): boolean => lstatIfThere(path)?.isDirectory() === true

function knownBranches({ paths }: Repository): ReadonlySet<string> {
  return new Set([
    ...listWorktrees(paths).map(({ branch }) => branch),
    ...listInvocations(paths).invocations.map(({ sandbox_branch }) => sandbox_branch),
  ])
}

interface Tip {
  readonly branch: string
  readonly tip: ObjectId
}

/** Branches of that id that no record names. */
async function listBranches({ git }: Repository, id: string, known: ReadonlySet<string>): Promise<Tip[]> {
  const format = '--format=%(refname:lstrip=2) %(objectname)'
  const listed = await git.store.text(['for-each-ref', format, 'refs/heads/agency/'])
  return listed.split('\n').flatMap((line) => {
    const [branch = '', tip = ''] = line.split(' ')
    const named = branch.endsWith(`-${id.slice(-4)}`) && !known.has(branch)
    return named ? [{ branch, tip: parseObjectId(tip) }] : []
  })
}

async function areElsewhereToo({ git }: Repository, branches: readonly Tip[]): Promise<boolean> {
  for (const { tip } of branches) {
    const holding = await git.store.text([
      'for-each-ref',
      '--format=%(refname)',
      '--contains',
      tip,
      'refs/heads/',
    ])
    if (!holding.includes('\n')) return false
  }
  return true
}
