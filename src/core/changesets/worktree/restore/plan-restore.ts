// What bringing a sandbox from one kept state to another must spare. Nothing is touched here.

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

export interface StatesOf {
  /** Keeps what lies in the tree now. */
  readonly from: ObjectId
  readonly to: ObjectId
  /** The operation whose files that were set aside come back; null for none. */
  readonly bring_back: string | null
  /** The move that is taken back, and nothing has changed since: what it brought goes again. null for none. */
  readonly reverses: { readonly from: ObjectId; readonly to: ObjectId } | null
}

/** What stays although the next state does not have it, and what is moved aside. */
export type RestorePlan = Pick<RestoreJournal, 'left' | 'in_the_way'>

/** Between two states of this tree. */
export interface RestoreStates extends StatesOf {
  readonly tree: OurTree
}

export async function planRestore(repository: Repository, states: RestoreStates): Promise<RestorePlan> {
  const changes = await readTreeChanges(repository, states.from, states.to)
  const leaving = changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path)
  const left = await findLeft(repository, states, leaving)
  const gone = new Set(leaving.filter((path) => !left.includes(path)))
  const in_the_way = findInTheWay(states.tree.tree_path, changes, gone)
  return { left, in_the_way: [...new Set([...in_the_way, ...(await findTakingPlaces(repository, states))])] }
}

/** What stands where something comes back, and is in neither state: a secret that an older checkpoint held, say. */
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

/** Files only: a directory in the way of a file goes on standing there. */
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

/** Ignored files stay; which ones are, the next state says. What its checkpoint left out had been there too. */
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

/** Whether something that was set aside comes back to that place, or to one above it. */
function waitedFor({ paths }: Repository, { tree, bring_back }: RestoreStates): (path: string) => boolean {
  if (bring_back === null) return () => false
  const dir = join(paths.invocation(tree.id).setAside, bring_back)
  return (path) =>
    statAt(dir, path) !== null ||
    parentsOf(path).some((parent) => statAt(dir, parent)?.isDirectory() === false)
}

/** git is asked in a directory that holds nothing but the `.gitignore` files of that state. */
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
    // What is tracked counts as ignored by nothing: where it is missing, it had been deleted.
    await there.run([...PRIVATE_INDEX, 'read-tree', kept.index_tree ?? `${kept.head}^{tree}`])
    return (await selectIgnored(there, candidates)) ?? new Set<string>()
  })
}

/** `gone` are raw paths that git itself takes away. Each that is found is in no commit. */
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

/** Below a directory that makes way; the whole of it where nothing in it is git's. */
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
