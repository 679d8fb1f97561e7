// What has to be spared when a sandbox is brought from one kept state to another. Nothing is touched here.

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readTreeChanges } from '../../../doors/git/compare-trees.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { withEmptyScratch } from '../../../doors/git/scratch-index.ts'
import { selectIgnored } from '../../../doors/git/select-ignored.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { parentsOf, rawPath, statAt } from '../../../doors/system/raw-paths.ts'
import type { ObjectId } from '../../../model/ids.ts'
import type { KeptState } from '../../../model/kept-state.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawOf } from '../../../model/raw-bytes.ts'
import { GITLINK_MODE, type RawChange } from '../../../model/raw-diff.ts'
import type { Repository } from '../../../store/repository.ts'
import type { RestoreJournal } from '../../../store/restore-journal.ts'
import { selectKnown } from '../capture/leave-out.ts'
import { readKeptState } from '../keep/read-kept-state.ts'
import type { OurTree } from '../proof/our-tree.ts'
import { readVerbatim } from './read-verbatim.ts'

export interface StatesOf {
  /** The commit that keeps what lies in the tree now. */
  readonly from: ObjectId
  readonly to: ObjectId
  /** The operation that set files aside which come back now; null for none. */
  readonly bring_back: string | null
  /**
   * If the sandbox has not changed since a move, and that move is undone: what it brought goes again. null for no such
   * move.
   */
  readonly reverses: { readonly from: ObjectId; readonly to: ObjectId } | null
}

/** `left`: files that stay although the next state does not have them. `in_the_way`: what is moved aside. */
export type RestorePlan = Pick<RestoreJournal, 'left' | 'in_the_way'>

/** The two states, and the tree that is moved from one to the other. */
export interface RestoreStates extends StatesOf {
  readonly tree: OurTree
}

export async function planRestore(repository: Repository, states: RestoreStates): Promise<RestorePlan> {
  const changes = await readTreeChanges(repository, states.from, states.to)
  const leaving = changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path)
  const left = await findLeft(repository, states, leaving)
  const gone = new Set(leaving.filter((path) => !left.includes(path)))
  const in_the_way = findInTheWay(states.tree.tree_path, changes, gone)
  const taking = [
    ...(await findTakingPlaces(repository, states)),
    ...(await findBesideTrees(repository, states)),
  ]
  return { left, in_the_way: [...new Set([...in_the_way, ...taking])] }
}

/** Files in the place of one that the next state holds beside its tree, if neither state knows them. */
async function findBesideTrees({ git }: Repository, { tree, from, to }: RestoreStates): Promise<string[]> {
  const next = await readVerbatim(git.store, await readKeptState({ git }, to))
  const taken = next.files.map(({ path }) => path).filter((path) => statAt(tree.tree_path, path) !== null)
  if (taken.length === 0) return []
  const before = await readVerbatim(git.store, await readKeptState({ git }, from))
  const held = new Set(before.files.map(({ path }) => path))
  const known = await Promise.all([selectKnown(git.store, from, taken), selectKnown(git.store, to, taken)])
  return taken.filter((path) => !held.has(path) && known.every((paths) => !paths.has(path)))
}

/**
 * Files that stand where something is to come back, and that neither state has: a secret that an older checkpoint held,
 * say.
 */
async function findTakingPlaces(repository: Repository, states: RestoreStates): Promise<string[]> {
  const { tree, from, to, bring_back } = states
  if (bring_back === null) return []
  const dir = join(repository.paths.invocation(tree.id).setAside, bring_back)
  if (lstatIfThere(dir)?.isDirectory() !== true) return []
  const taken = findTaken(tree.tree_path, dir, '')
  const { store } = repository.git
  const known = await Promise.all([selectKnown(store, from, taken), selectKnown(store, to, taken)])
  return taken.filter((path) => known.every((paths) => !paths.has(path)))
}

/** Lists files only: where a directory stands in the way of a file, it stays. */
function findTaken(tree: string, aside: string, dir: string): string[] {
  const entries = readdirSync(dir === '' ? aside : rawPath(aside, dir), {
    encoding: 'latin1',
    withFileTypes: true,
  })
  return entries.flatMap((entry) => {
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`
    const stat = statAt(tree, path)
    if (stat === null) return []
    if (!stat.isDirectory()) return [path]
    return entry.isDirectory() ? findTaken(tree, aside, path) : []
  })
}

/**
 * Which leaving files stay: those that the next state ignores or that its checkpoint left out, as they were there then
 * too.
 */
async function findLeft(
  repository: Repository,
  states: RestoreStates,
  leaving: readonly string[],
): Promise<string[]> {
  if (leaving.length === 0) return []
  const kept = await readKeptState(repository, states.to)
  const excluded = new Set((kept.excluded ?? []).map(rawOf))
  const ignored = await ignoredBy(repository, { ...states, kept }, leaving)
  const isWaited = waitedFor(repository, states)
  const brought = await listBrought(repository, states)
  return leaving.filter(
    (path) =>
      !isMarkerPath(path) &&
      (excluded.has(path) || ignored.has(path)) &&
      !isWaited(path) &&
      !brought.has(path),
  )
}

async function listBrought(
  repository: Repository,
  { reverses }: RestoreStates,
): Promise<ReadonlySet<string>> {
  if (reverses === null) return new Set()
  const changes = await readTreeChanges(repository, reverses.from, reverses.to)
  return new Set(changes.filter(({ kind }) => kind === 'added').map(({ path }) => path))
}

/** Whether a file that was set aside is to come back to that path, or to a directory above it. */
function waitedFor({ paths }: Repository, { tree, bring_back }: RestoreStates): (path: string) => boolean {
  if (bring_back === null) return () => false
  const dir = join(paths.invocation(tree.id).setAside, bring_back)
  return (path) =>
    statAt(dir, path) !== null ||
    parentsOf(path).some((parent) => statAt(dir, parent)?.isDirectory() === false)
}

/** Asks git in a directory that holds nothing but the `.gitignore` files of that state. */
function ignoredBy(
  { git, paths }: Repository,
  { tree, to, kept }: RestoreStates & { readonly kept: KeptState },
  candidates: readonly string[],
): Promise<ReadonlySet<string>> {
  const scratchDir = paths.invocation(tree.id).sandboxDir
  return withEmptyScratch({ git, scratchDir, head: to }, async ({ dir, bind }) => {
    const empty = join(dir, 'tree')
    mkdirSync(empty)
    const there = bind(empty)
    await there.run([...PRIVATE_INDEX, 'read-tree', `${to}^{tree}`])
    const listed = await there.run([
      '--no-literal-pathspecs',
      ...PRIVATE_INDEX,
      'ls-files',
      '-z',
      '--',
      ':(top,glob)**/.gitignore',
    ])
    await there.run([...PRIVATE_INDEX, 'checkout-index', '-q', '-z', '--stdin'], { input: listed.stdout })
    // A tracked file is never ignored: where it is missing, somebody has deleted it.
    await there.run([...PRIVATE_INDEX, 'read-tree', kept.index_tree ?? `${kept.head}^{tree}`])
    return (await selectIgnored(there, candidates)) ?? new Set<string>()
  })
}

/** `gone` holds the raw paths that git itself will remove. No commit has any of the files that are found here. */
function findInTheWay(tree: string, changes: readonly RawChange[], gone: ReadonlySet<string>): string[] {
  const added = changes.filter(({ kind, path }) => kind === 'added' && !isMarkerPath(path))
  return [...new Set(added.flatMap((change) => findAt(tree, change, gone)))]
}

function findAt(tree: string, { path, new_mode }: RawChange, gone: ReadonlySet<string>): string[] {
  for (const parent of parentsOf(path)) {
    const stat = statAt(tree, parent)
    if (stat === null) return []
    if (!stat.isDirectory()) return gone.has(parent) ? [] : [parent]
  }
  const stat = statAt(tree, path)
  if (stat === null) return []
  if (!stat.isDirectory()) return [path]
  return new_mode === GITLINK_MODE ? [] : findForeign(tree, path, gone)
}

/** Files that are not git's, below a directory that has to go; the directory itself where it holds nothing else. */
function findForeign(tree: string, path: string, gone: ReadonlySet<string>): string[] {
  const entries = readdirSync(rawPath(tree, path), { encoding: 'latin1', withFileTypes: true })
  const found = entries.map((entry) => {
    const below = `${path}/${entry.name}`
    if (entry.isDirectory()) return { below, foreign: findForeign(tree, below, gone) }
    return { below, foreign: gone.has(below) ? [] : [below] }
  })
  const all = found.every(({ below, foreign }) => foreign.length === 1 && foreign[0] === below)
  return all ? [path] : found.flatMap(({ foreign }) => foreign)
}
