// Brings a sandbox's files, index, branch and HEAD to a kept state, byte for byte. The journal is written before
// anything is touched, and every step may be repeated: after a kill another process goes through them again.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { explainBlocked, readBlocked, treeUnwritable } from '../../../doors/git/blocked-path.ts'
import { readTreeChanges } from '../../../doors/git/compare-trees.ts'
import { clearFlags, putFlagsBack } from '../../../doors/git/index-flags.ts'
import { nextIndex } from '../../../doors/git/index-lock.ts'
import { PRIVATE_INDEX, removal, setEntries, settleOddities } from '../../../doors/git/index-oddities.ts'
import { listEntries, pathOfEntry } from '../../../doors/git/list-entries.ts'
import { moveRefs } from '../../../doors/git/move-refs.ts'
import { copyIndex, withScratchIndex } from '../../../doors/git/scratch-index.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { filesBelow } from '../../../doors/system/raw-paths.ts'
import { withWritable } from '../../../doors/system/writable-directories.ts'
import { AgencyError } from '../../../model/errors.ts'
import type { KeptState } from '../../../model/kept-state.ts'
import { SANDBOX_MARKER } from '../../../model/markers.ts'
import { notOurs } from '../../../model/path-safety.ts'
import { rawInput } from '../../../model/raw-bytes.ts'
import type { RawChange } from '../../../model/raw-diff.ts'
import type { Repository } from '../../../store/repository.ts'
import { type RestoreJournal, writeRestoreJournal } from '../../../store/restore-journal.ts'
import { readKeptState } from '../keep/read-kept-state.ts'
import { FILL, noteTimesAnew, refreshIndex } from '../make/fill-tree.ts'
import { writeMarker } from '../proof/marker.ts'
import { type OurTree, proveOurs } from '../proof/our-tree.ts'
import { openPlaces, putBackVerbatim } from './put-back-verbatim.ts'
import { pathsOf, readVerbatim, type VerbatimParts } from './read-verbatim.ts'
import { bringBack, setAside } from './set-aside.ts'
import { spareFinished } from './spare-finished.ts'
import { endStatesInProgress, resumeStatesInProgress } from './states-in-progress.ts'

interface Applying {
  readonly repository: Repository
  readonly tree: OurTree
  readonly journal: RestoreJournal
  readonly kept: KeptState
  /** What is kept beside the tree that lies there now. */
  readonly before: VerbatimParts
  readonly changes: readonly RawChange[]
  /** It was begun before. */
  readonly again: boolean
}

/**
 * The caller holds the lock and has written the journal; nothing of the invocation runs. Returns sentences for the
 * person. Throws E_PATH_NOT_OURS, E_UNDO_EXPIRED and, where its branch has moved, E_UNDO_MOVED.
 */
export async function applyRestore(
  repository: Repository,
  tree: OurTree,
  { journal, again }: { readonly journal: RestoreJournal; readonly again: boolean },
): Promise<string[]> {
  proveBoth(repository, tree)
  const kept = await readKeptState(repository, journal.to)
  const changes = await readTreeChanges(repository, journal.from, journal.to)
  const before = await readVerbatim(repository.git.store, await readKeptState(repository, journal.from))
  const applying: Applying = { repository, tree, journal, kept, before, changes, again }
  // What was known of a directory's mode is decided by the state that it is brought to.
  const writing = { paths: writtenPaths(applying), keeps: (path: string) => before.modes.has(path) }
  try {
    return await withWritable(tree.tree_path, writing, () => applyWritable(applying))
  } catch (error) {
    throw explainBlocked(tree.tree_path, error)
  }
}

/** Raw paths of all that may be written, moved or removed. */
function writtenPaths(applying: Applying): string[] {
  const { journal, changes } = applying
  const back =
    journal.bring_back === null ? [] : filesBelow(asideOfTree(applying, journal.bring_back).dir, '.')
  return [...changes.map(({ path }) => path), ...journal.in_the_way, ...back, SANDBOX_MARKER]
}

async function applyWritable(applying: Applying): Promise<string[]> {
  const { repository, tree, journal, kept } = applying
  repository.effects.onStep('set aside what stands in the way')
  setAside(asideOfTree(applying, journal.operation.operation_id), journal.in_the_way)
  await writeFilesAndIndex(applying)
  repository.effects.onStep('move its branch')
  await moveRefs(repository, journal.operation.refs)
  repository.effects.onStep('set its HEAD')
  const notes = await tree.administration.setHead(tree, kept)
  repository.effects.onStep('end what git had in progress')
  endStatesInProgress(tree.git_dir, journal.operation.operation_id)
  if (journal.bring_back !== null) resumeStatesInProgress(tree.git_dir, journal.bring_back)
  repository.effects.onStep('mark the tree')
  return [...notes, ...markAgain(tree)]
}

/** A tree without a marker can still be closed, so what hinders the marker must not hold up the restore. */
function markAgain({ tree_path }: OurTree): string[] {
  try {
    return writeMarker(tree_path, SANDBOX_MARKER) ? [] : ['something else lies in the way of its marker']
  } catch (error) {
    const ours = explainBlocked(tree_path, error)
    if (!(ours instanceof AgencyError)) throw error
    return [`its marker could not be written: ${ours.message}`]
  }
}

/** Nothing is overwritten. */
export function abandonRestore(repository: Repository, tree: OurTree, { operation }: RestoreJournal): void {
  proveBoth(repository, tree)
  bringBack(asideOfTree({ repository, tree }, operation.operation_id))
}

/** Proves both the tree and its git directory, because agents can write the record that names them. */
function proveBoth(repository: Repository, tree: OurTree): void {
  if (proveOurs(repository, tree) === 'gone') throw notOurs(tree.tree_path, 'nothing lies there')
  if (!tree.administration.isOf(tree)) {
    throw notOurs(tree.git_dir, 'it is not the git directory of that sandbox')
  }
}

const asideOfTree = ({ repository, tree }: Pick<Applying, 'repository' | 'tree'>, operation: string) => ({
  root: tree.tree_path,
  dir: join(repository.paths.invocation(tree.id).setAside, operation),
})

/** Works in a git directory of our own, so that git reads nothing that the agent may have planted in its own. */
async function writeFilesAndIndex(applying: Applying): Promise<void> {
  const { repository, tree, journal, kept } = applying
  const request = {
    git: repository.git,
    where: tree,
    scratchDir: repository.paths.invocation(tree.id).sandboxDir,
    head: journal.to,
  }
  await withScratchIndex(request, async ({ git, dir }) => {
    const flags = await clearFlags(git, tree.tree_path)
    const nested = await mirrorTree(git, applying)
    await writeTreeFiles(git, applying)
    await putBack(applying)
    if (journal.bring_back !== null) {
      repository.effects.onStep('bring back what was set aside')
      bringBack(asideOfTree(applying, journal.bring_back))
    }
    const index = kept.index_tree ?? `${kept.head}^{tree}`
    await git.run([...FILL, 'read-tree', '--reset', index])
    if (nested.length > 0) await unflag(git, nested)
    if (kept.verbatim_tree !== undefined) {
      const { store } = repository.git
      await noteTimesAnew(git, { store, index, paths: pathsOf(await readVerbatim(store, kept)) })
    }
    await putFlagsBack(git, flags)
    repository.effects.onStep('put the index in place')
    const next = nextIndex(tree.git_dir)
    if (lstatIfThere(next) !== null) renameSync(next, join(dir, 'stale-index'))
    copyIndex(join(dir, 'index'), next)
    renameSync(next, join(tree.git_dir, 'index'))
  })
}

/**
 * Makes the private index say what lies in the tree, so that git then removes exactly what has to go. It keeps what the
 * agent's own index knows of file times, so that unchanged files are neither read nor written. Returns the raw paths of
 * nested repositories.
 */
async function mirrorTree(git: Git, applying: Applying): Promise<string[]> {
  const { tree, journal, changes, again } = applying
  const { from, left } = journal
  await git.run([...FILL, 'read-tree', '--reset', `${from}^{tree}`])
  const nested = await settleOddities(git, tree.tree_path)
  await setEntries(
    git,
    left.map((path) => removal({ path, object: from })),
  )
  await refreshIndex(git)
  await makeRoomFor(git, applying)
  if (again) await spareFinished(git, tree.tree_path, changes)
  return nested
}

/**
 * Has git write each file anew whose bytes or mode are kept beside one of the two trees: to git it would look
 * unchanged.
 */
async function makeRoomFor(git: Git, { repository, tree, journal, kept, before }: Applying): Promise<void> {
  const { store } = repository.git
  const after = await readVerbatim(store, kept)
  const own = [before, after].flatMap(({ files, modes }) => [
    ...files.map(({ path }) => path),
    ...modes.keys(),
  ])
  if (own.length === 0) return
  const entries = await listEntries(store, `${journal.from}^{tree}`, [...new Set(own)])
  openPlaces(tree.tree_path, before, new Set(entries.map(pathOfEntry)))
  await git.run([...PRIVATE_INDEX, 'update-index', '-z', '--index-info'], { input: rawInput(entries) })
}

async function putBack({ repository, tree, kept }: Applying): Promise<void> {
  const { git, paths, effects } = repository
  if (kept.verbatim_tree === undefined) return
  effects.onStep('put back bytes and modes')
  const place = { store: git.store, tree: tree.tree_path, scratchDir: paths.invocation(tree.id).sandboxDir }
  await putBackVerbatim(place, await readVerbatim(git.store, kept))
}

async function writeTreeFiles(git: Git, { repository, tree, journal }: Applying): Promise<void> {
  const { effects, paths } = repository
  const writer = await git.prepare([...FILL, 'read-tree', '--reset', '-u', `${journal.to}^{tree}`])
  try {
    const identity = effects.processes.identityOf(writer.pid)
    const writers = identity === null ? journal.writers : [...journal.writers, identity]
    await writeRestoreJournal(paths, { ...journal, writers })
    effects.onStep('write the files')
    const { stderr } = await writer.start()
    const kept = readBlocked(stderr)
    if (kept !== null) throw treeUnwritable(tree.tree_path, kept)
  } finally {
    writer.abandon()
  }
}

/** Undoes the freezing of the entries for nested repositories, which kept git from looking into them. */
async function unflag(git: Git, nested: readonly string[]): Promise<void> {
  const input = rawInput(nested)
  const args = [...PRIVATE_INDEX, 'update-index', '--no-skip-worktree', '-z', '--stdin']
  await git.run(args, { input, answers: [128] })
}
