// Makes a removed work tree again: with its files from the trash if they are still there, else from the commit that
// keeps them. Until the tree is whole a note lies beside it. A kill leaves the note, and the next attempt starts anew.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Git, TreeLocation } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { readTip } from '../../../doors/git/read-tips.ts'
import {
  DIR_MODE,
  lstatIfThere,
  makeWay,
  readTextIfRegular,
  readTextIfThere,
  writeAtomic,
} from '../../../doors/system/files.ts'
import { RECORD_BOUNDS } from '../../../doors/system/regular-file.ts'
import type { ObjectId } from '../../../model/ids.ts'
import type { KeptState } from '../../../model/kept-state.ts'
import { MARKER_DIR } from '../../../model/markers.ts'
import { notOurs } from '../../../model/path-safety.ts'
import type { Repository } from '../../../store/repository.ts'
import { isKeptTreePath, keptTreePath, listTrashedTrees } from '../../../store/trash.ts'
import { captureTree } from '../capture/capture-tree.ts'
import { readKeptState } from '../keep/read-kept-state.ts'
import { FILL, noteTimesAnew, refreshIndex, stage, writeAll } from '../make/fill-tree.ts'
import { stampFilled } from '../make/filled-stamp.ts'
import { writeMarker } from '../proof/marker.ts'
import { type OurTree, proveOurs } from '../proof/our-tree.ts'
import { moveOurs } from '../remove/remove-tree.ts'
import { stillStands, takeIndex } from './index-that-came-back.ts'
import { putBackVerbatim } from './put-back-verbatim.ts'
import { pathsOf, readVerbatim } from './read-verbatim.ts'

export interface Restored {
  readonly git_dir: string
  /** Sentences for the person. */
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
  const half = isHalfRestored(tree)
  if (there && !half) return { git_dir: tree.administration.find(tree), notes: [] }
  dropHalfRestored(repository, tree)
  const { effects } = repository
  mkdirSync(dirname(tree.tree_path), { recursive: true, mode: DIR_MODE })
  effects.onStep('note that the tree is being restored')
  await writeNote(tree, null)
  const made: Making = { repository, tree, commit, kept, gitDir: null, branchMade: false, unpacked: false }
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

/** Takes away what a killed restore has left. Returns true if there was something. The caller holds the lock. */
export function dropHalfRestored(repository: Repository, tree: OurTree): boolean {
  if (!isHalfRestored(tree)) return false
  const from = readTextIfRegular(notePath(tree), RECORD_BOUNDS) ?? ''
  putAside(repository, tree, from)
  tree.administration.forget({ ...tree, git_dir: tree.administration.find(tree) })
  makeWay(notePath(tree))
  rmSync(notePath(tree), { force: true })
  return true
}

/** The note beside the tree that says it is not whole yet. If its files came from the trash, it says from where. */
export const restoringNote = (treePath: string): string => join(dirname(treePath), 'restoring')

const notePath = (tree: OurTree): string => restoringNote(tree.tree_path)

/** Whatever lies there: an agent may have put something else in the note's place. */
export const isHalfRestored = (tree: OurTree): boolean => lstatIfThere(notePath(tree)) !== null

const writeNote = (tree: OurTree, filesFrom: string | null): Promise<void> =>
  writeAtomic(notePath(tree), filesFrom ?? '')

interface Making {
  readonly repository: Repository
  readonly tree: OurTree
  readonly commit: ObjectId
  readonly kept: KeptState
  gitDir: string | null
  branchMade: boolean
  /** Its own git directory came back from the trash with its files. */
  unpacked: boolean
}

async function makeTree(making: Making): Promise<string[]> {
  const { repository, tree } = making
  making.branchMade = await makeBranch(making)
  repository.effects.onStep('add the worktree')
  making.gitDir = await tree.administration.add(tree.tree_path, making.kept.head)
  repository.effects.onStep('fill the tree')
  const files = (await reuseFiles(making)) ? 'reused' : 'written'
  const git = repository.git.tree(whereOf(making))
  if (files === 'written') await writeFiles(making, git)
  repository.effects.onStep('set its HEAD')
  const notes = await tree.administration.setHead(whereOf(making), making.kept)
  repository.effects.onStep('set its index')
  await setIndex(making, git, files)
  repository.effects.onStep('mark the tree')
  return writeMarker(tree.tree_path, tree.marker)
    ? notes
    : [...notes, 'something else lies in the way of its marker']
}

async function writeFiles({ repository, tree, commit, kept }: Making, git: Git): Promise<void> {
  const { store } = repository.git
  await writeAll(git, `${commit}^{tree}`)
  stampFilled(tree.tree_path)
  if (kept.verbatim_tree === undefined) return
  repository.effects.onStep('put back bytes and modes')
  const place = { store, tree: tree.tree_path, scratchDir: dirname(tree.tree_path) }
  await putBackVerbatim(place, await readVerbatim(store, kept))
}

async function setIndex(making: Making, git: Git, files: 'reused' | 'written'): Promise<void> {
  const { index_tree, head } = making.kept
  const index = index_tree ?? `${head}^{tree}`
  if (files === 'written') {
    await stageWritten(making, git, index)
    return
  }
  const stands = making.unpacked && (await stillStands(git, whereOf(making), making.kept))
  if (!stands) await git.run([...FILL, 'read-tree', index])
  await refreshIndex(git)
}

async function stageWritten({ repository, kept }: Making, git: Git, index: string): Promise<void> {
  const { store } = repository.git
  await stage(git, index)
  if (kept.verbatim_tree === undefined) return
  await noteTimesAnew(git, { store, index, paths: pathsOf(await readVerbatim(store, kept)) })
}

/** Makes the tree's own branch if it is gone. A branch that is there stays as it is. */
async function makeBranch({ repository, kept }: Making): Promise<boolean> {
  const ref = `refs/heads/${kept.branch}`
  if (kept.branch_tip === null || (await readTip(repository.git.store, ref)) !== null) return false
  await repository.git.store.run(['update-ref', '--no-deref', ref, kept.branch_tip, ''])
  return true
}

/** Renames the files back from the trash, ignored ones and nested repositories with them. */
async function reuseFiles(making: Making): Promise<boolean> {
  const { repository, tree } = making
  const waiting = listTrashedTrees(repository.paths).filter(
    ({ id, state }) => state === 'kept' && id === tree.id,
  )
  for (const { path } of waiting.reverse()) if (await reuse(making, path)) return true
  return false
}

/** False where these are not the files that were kept; then they are in the trash again. */
async function reuse(making: Making, waiting: string): Promise<boolean> {
  const { tree } = making
  const link = readTextIfThere(join(tree.tree_path, '.git')) ?? ''
  await writeNote(tree, waiting)
  rmSync(tree.tree_path, { recursive: true })
  renameSync(waiting, tree.tree_path)
  making.repository.effects.onStep('look at the files that came back')
  putLink(tree, link)
  if (await holdsTheState(making)) {
    making.unpacked = tree.administration.unpack(whereOf(making))
    return true
  }
  renameSync(tree.tree_path, waiting)
  await writeNote(tree, null)
  mkdirSync(tree.tree_path)
  putLink(tree, link)
  return false
}

/** Puts git's link back. If the agent has put a repository in its place, that is renamed and kept. */
function putLink({ tree_path }: OurTree, link: string): void {
  const path = join(tree_path, '.git')
  if (lstatIfThere(path)?.isDirectory() === true) {
    mkdirSync(join(tree_path, MARKER_DIR), { recursive: true })
    renameSync(path, join(tree_path, MARKER_DIR, `replaced-git-${Date.now()}`))
  }
  rmSync(path, { force: true })
  writeFileSync(path, link, { flag: 'wx' })
}

/** Looked at with the index that was packed up with the files, or else with what was staged. */
async function holdsTheState(making: Making): Promise<boolean> {
  const { repository, tree, kept } = making
  const where = whereOf(making)
  const git = repository.git.tree(where)
  const from = tree.administration.packedIndex(where)
  if ((await takeIndex(git, where, { from, kept })) && (await isTheState(making))) return true
  await git.run([...PRIVATE_INDEX, 'read-tree', kept.index_tree ?? `${kept.head}^{tree}`])
  return isTheState(making)
}

async function isTheState(making: Making): Promise<boolean> {
  const { repository, tree, commit, kept } = making
  const where = whereOf(making)
  const now = await captureTree({
    git: repository.git,
    where,
    heads: tree.administration.heads(where, kept.head),
    scratchDir: dirname(tree.tree_path),
    fallbackHead: kept.head,
    closing: true,
  })
  return (
    now.state_tree === (await repository.git.store.text(['rev-parse', `${commit}^{tree}`])) &&
    (now.verbatim?.tree ?? null) === (kept.verbatim_tree ?? null)
  )
}

const whereOf = (making: Making): TreeLocation => ({
  tree_path: making.tree.tree_path,
  git_dir: gitDirOf(making),
})

function gitDirOf({ gitDir, tree }: Making): string {
  if (gitDir === null) throw notOurs(tree.tree_path, 'it has no git directory yet')
  return gitDir
}

/** Undoes the steps in reverse order. Does not throw for its own sake: the error that led here is the one to report. */
async function undoMaking({ repository, tree, kept, branchMade }: Making): Promise<void> {
  dropHalfRestored(repository, tree)
  const ref = `refs/heads/${kept.branch}`
  if (branchMade)
    await repository.git.store.run(['update-ref', '--no-deref', '-d', ref, kept.branch_tip ?? ''])
}

/**
 * An agent can write the note, so it is believed only if it names a place in the trash; otherwise the files get a new
 * one.
 */
function putAside(repository: Repository, tree: OurTree, from: string): void {
  const { effects, paths } = repository
  const back = isKeptTreePath(paths, from) && lstatIfThere(from) === null
  const stamp = { now: effects.clock.now(), random: effects.random() }
  // What was packed up with these files goes back with them, and not what was made for the tree meanwhile.
  if (back) tree.administration.unpack(tree)
  moveOurs(repository, tree, back ? from : keptTreePath(paths, tree.id, stamp))
}
