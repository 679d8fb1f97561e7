// Brings a work tree of ours back: from the trash where its files wait there, else from the commit that keeps them.
// While it is not whole, a note lies beside it. A kill leaves the note, and the next attempt begins anew; a tree
// without a note is whole.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { captureTree } from '../../changesets/worktree/capture/capture-tree.ts'
import { writeMarker } from '../../changesets/worktree/proof/marker.ts'
import { type OurTree, proveOurs } from '../../changesets/worktree/proof/our-tree.ts'
import { findGitDir, forgetWorktree, moveOurs, treeOf } from '../../changesets/worktree/remove/remove-tree.ts'
import type { Git } from '../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../doors/git/index-oddities.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { DIR_MODE, FILE_MODE, lstatIfThere, readTextIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { type KeptState, parseKeptState } from '../../model/kept-state.ts'
import { MARKER_DIR } from '../../model/markers.ts'
import { notOurs } from '../../model/path-safety.ts'
import type { Repository } from '../../store/repository.ts'
import { isKeptTreePath, keptTreePath, listTrashedTrees } from '../../store/trash.ts'

export interface Restored {
  readonly git_dir: string
  /** Sentences to pass on. */
  readonly notes: readonly string[]
}

/** The caller holds the repository's lock. Throws E_UNDO_EXPIRED, E_PATH_NOT_OURS. */
export async function restoreTree(
  repository: Repository,
  tree: OurTree,
  commit: ObjectId,
): Promise<Restored> {
  const kept = await readKeptState(repository, commit)
  const there = proveOurs(repository, tree) === 'there'
  const half = readTextIfThere(notePath(tree)) !== null
  if (there && !half) return { git_dir: findGitDir(repository, tree), notes: [] }
  dropHalfRestored(repository, tree)
  const { effects } = repository
  mkdirSync(dirname(tree.tree_path), { recursive: true, mode: DIR_MODE })
  effects.onStep('note that the tree is being restored')
  writeNote(tree, null)
  const made: Making = { repository, tree, commit, kept, gitDir: null, branchMade: false }
  try {
    const notes = await makeTree(made)
    effects.onStep('take the note away')
    rmSync(notePath(tree))
    return { git_dir: gitDirOf(made), notes }
  } catch (error) {
    await undoMaking(made)
    throw error
  }
}

/** Takes away what a killed restore has left; true where there was such a thing. The caller holds the lock. */
export function dropHalfRestored(repository: Repository, tree: OurTree): boolean {
  if (readTextIfThere(notePath(tree)) === null) return false
  putAside(repository, tree)
  forgetWorktree(repository, { ...tree, git_dir: findGitDir(repository, tree) })
  rmSync(notePath(tree), { force: true })
  return true
}

/** Beside the tree: it is not whole. Holds where its files came from, where that is the trash. */
const notePath = (tree: OurTree): string => join(dirname(tree.tree_path), 'restoring')

const writeNote = (tree: OurTree, filesFrom: string | null): void =>
  writeFileSync(notePath(tree), filesFrom ?? '', { mode: FILE_MODE })

export async function readKeptState({ git }: Repository, commit: ObjectId): Promise<KeptState> {
  const message = await git.store.run(['log', '-1', '--no-show-signature', '--format=%B', commit], {
    answers: [128],
  })
  const kept = parseKeptState(message.stdout.toString('utf8'))
  if (kept === null) throw new AgencyError('E_UNDO_EXPIRED', `${commit} holds no state that was kept`)
  return kept
}

interface Making {
  readonly repository: Repository
  readonly tree: OurTree
  readonly commit: ObjectId
  readonly kept: KeptState
  gitDir: string | null
  branchMade: boolean
}

async function makeTree(making: Making): Promise<string[]> {
  const { repository, tree, commit } = making
  making.branchMade = await makeBranch(making)
  repository.effects.onStep('add the worktree')
  making.gitDir = await addWorktree(repository, tree, making.kept.head)
  repository.effects.onStep('fill the tree')
  const files = (await reuseFiles(making)) ? 'reused' : 'written'
  const git = repository.git.tree({ tree_path: tree.tree_path, git_dir: making.gitDir })
  if (files === 'written') await writeAll(git, `${commit}^{tree}`)
  repository.effects.onStep('set its HEAD')
  const notes = await setHead(making)
  repository.effects.onStep('set its index')
  const { index_tree, head } = making.kept
  const index = index_tree ?? `${head}^{tree}`
  if (files === 'written') await stage(git, index)
  else {
    await git.run([...FILL, 'read-tree', index])
    // Without --ignore-submodules git would run `git status` in nested repositories.
    await git.run([...FILL, 'update-index', '-q', '--ignore-submodules', '--refresh'], { answers: [1] })
  }
  repository.effects.onStep('mark the tree')
  return writeMarker(tree.tree_path, tree.marker)
    ? notes
    : [...notes, 'its .agency is no directory: no marker']
}

const FILL = [...PRIVATE_INDEX, '-c', 'checkout.workers=2'] as const

/** Writes an empty work tree, and its index as it was staged. */
export async function fillTree(git: Git, tree: string, index: string): Promise<void> {
  await writeAll(git, tree)
  await stage(git, index)
}

const writeAll = (git: Git, tree: string) => git.run([...FILL, 'read-tree', '--reset', '-u', tree])

/** The index alone, which keeps what it knows of the files that stay the same. */
const stage = (git: Git, tree: string) => git.run([...FILL, 'read-tree', '--reset', tree])

/** The tree's own branch, where it is gone; one that is there is left as it is. */
async function makeBranch({ repository, kept }: Making): Promise<boolean> {
  const ref = `refs/heads/${kept.branch}`
  if (kept.branch_tip === null || (await readTip(repository.git.store, ref)) !== null) return false
  await repository.git.store.run(['update-ref', '--no-deref', ref, kept.branch_tip, ''])
  return true
}

/** Its directory in `.git/worktrees`, whose name git chooses. */
async function addWorktree({ git }: Repository, tree: OurTree, head: ObjectId): Promise<string> {
  await git.real.run(['worktree', 'add', '-q', '-f', '--detach', '--no-checkout', tree.tree_path, head])
  const link = readFileSync(join(tree.tree_path, '.git'), 'utf8')
  const gitDir = /^gitdir: (.+)\n?$/.exec(link)?.[1] ?? ''
  if (dirname(gitDir) !== join(git.commonDir, 'worktrees') || treeOf(gitDir) !== tree.tree_path) {
    throw notOurs(gitDir, 'git made another worktree than was asked for')
  }
  return gitDir
}

/** Files that wait in the trash come back by a rename, ignored ones and nested repositories too. */
async function reuseFiles(making: Making): Promise<boolean> {
  const { repository, tree } = making
  const waiting = listTrashedTrees(repository.paths).filter(({ id, kept }) => kept && id === tree.id)
  for (const { path } of waiting.reverse()) if (await reuse(making, path)) return true
  return false
}

/** False where these are not the files that were kept: they are back in the trash then. */
async function reuse(making: Making, waiting: string): Promise<boolean> {
  const { tree } = making
  const link = readFileSync(join(tree.tree_path, '.git'))
  writeNote(tree, waiting)
  rmSync(tree.tree_path, { recursive: true })
  renameSync(waiting, tree.tree_path)
  putLink(tree, link)
  if (await holdsTheState(making)) return true
  renameSync(tree.tree_path, waiting)
  writeNote(tree, null)
  mkdirSync(tree.tree_path)
  putLink(tree, link)
  return false
}

/** git's link to its directory. A repository that the agent had put in its place stays, under our own name. */
function putLink({ tree_path }: OurTree, link: Buffer): void {
  const path = join(tree_path, '.git')
  if (lstatIfThere(path)?.isDirectory() === true) {
    mkdirSync(join(tree_path, MARKER_DIR), { recursive: true })
    renameSync(path, join(tree_path, MARKER_DIR, `replaced-git-${Date.now()}`))
  }
  rmSync(path, { force: true })
  writeFileSync(path, link, { flag: 'wx' })
}

async function holdsTheState(making: Making): Promise<boolean> {
  const { repository, tree, commit, kept } = making
  const git_dir = gitDirOf(making)
  const git = repository.git.tree({ tree_path: tree.tree_path, git_dir })
  await git.run([...PRIVATE_INDEX, 'read-tree', kept.index_tree ?? `${kept.head}^{tree}`])
  const now = await captureTree({
    git: repository.git,
    where: { tree_path: tree.tree_path, git_dir },
    scratchDir: dirname(tree.tree_path),
    fallbackHead: kept.head,
  })
  return now.state_tree === (await repository.git.store.text(['rev-parse', `${commit}^{tree}`]))
}

/** On the branch it was on, where that still is what it was; detached at the same commit otherwise. */
async function setHead(making: Making): Promise<string[]> {
  const { repository, tree, kept } = making
  if (kept.head_ref === null) return []
  const tip = await readTip(repository.git.store, kept.head_ref)
  if (tip === (kept.unborn ? null : kept.head)) {
    const git = repository.git.tree({ tree_path: tree.tree_path, git_dir: gitDirOf(making) })
    await git.run(['symbolic-ref', 'HEAD', kept.head_ref])
    return []
  }
  return [`${kept.head_ref} is no longer where it was, so HEAD is detached at ${kept.head}`]
}

function gitDirOf({ gitDir, tree }: Making): string {
  if (gitDir === null) throw notOurs(tree.tree_path, 'it has no git directory yet')
  return gitDir
}

/** In reverse order; the error that led here is the one to report. */
async function undoMaking({ repository, tree, kept, branchMade }: Making): Promise<void> {
  dropHalfRestored(repository, tree)
  const ref = `refs/heads/${kept.branch}`
  if (branchMade)
    await repository.git.store.run(['update-ref', '--no-deref', '-d', ref, kept.branch_tip ?? ''])
}

/** Agents can write the note: whatever it says, the files wait in the trash like others that were kept. */
function putAside(repository: Repository, tree: OurTree): void {
  const { effects, paths } = repository
  const from = readTextIfThere(notePath(tree)) ?? ''
  const back = isKeptTreePath(paths, from) && lstatIfThere(from) === null
  const stamp = { now: effects.clock.now(), random: effects.random() }
  moveOurs(repository, tree, back ? from : keptTreePath(paths, tree.id, stamp))
}
