// The quick way to capture a tree: looks once at what changed and adds that. It nearly always works. Anything unusual
// (flagged entries, conflicts, files that vanish or cannot be read) is left to captureCarefully.

import type { Git } from '../../../doors/effects.ts'
import { nullUnlessStuck } from '../../../doors/git/git.ts'
import { holdsFiles, isDirectory, PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import type { Head } from '../../../doors/git/read-head.ts'
import { type Scratch, withScratchIndex } from '../../../doors/git/scratch-index.ts'
import { selectInSlices } from '../../../doors/system/slices.ts'
import { type ObjectId, parseObjectId } from '../../../model/ids.ts'
import { hasPlainForm } from '../../../model/index-file.ts'
import { rawInput, showRaw } from '../../../model/raw-bytes.ts'
import type { Modes } from '../../../model/verbatim.ts'
import type { Verbatim } from '../../changeset.ts'
import {
  type CaptureRequest,
  describeCapture,
  notIgnored,
  notInside,
  type TakenCapture,
} from './describe-capture.ts'
import { findTouched, givesAttributes, listRestless } from './find-touched.ts'
import { findVerbatim } from './find-verbatim.ts'
import { importState } from './import-state.ts'
import { dropEntries, dropSecrets, type LeaveOut, NOTHING_LEFT_OUT, pickLeftOut } from './leave-out.ts'
import type { Changes, SeenChanges } from './look-at-changes.ts'
import { lookAtTree } from './look-at-tree.ts'
import { type Conversions, sortByConversion } from './sort-by-conversion.ts'
import type { FindSpecialFiles, SpecialFiles } from './special-files.ts'
import { findIntruders, type WrittenState, writeState, writeTree } from './write-state.ts'

/** null where the capture cannot be made this way. */
export async function captureQuickly(request: CaptureRequest): Promise<TakenCapture | null> {
  const tree = request.where.tree_path
  const said = request.heads.said()
  if (said === null) return null
  return withScratchIndex({ ...request, head: said }, async (scratch) => {
    const { git } = scratch
    const bytes = scratch.readIndex() ?? Buffer.alloc(0)
    if (!hasPlainForm(bytes)) return null
    const [head, { changes, finding, index, touched }] = await Promise.all([
      request.heads.read(),
      lookAtTree(request, scratch, bytes),
    ])
    if (index === null || !index.nested.every((path) => isDirectory(tree, path))) return null
    if (changes === null || head.unborn) return null
    const staged = index.tree === null ? await writeTree(git) : parseObjectId(index.tree)
    const taken = await leaveOut({ git, tree, head, changes, staged }, request.leaveOut ?? NOTHING_LEFT_OUT)
    const walked = request.closing === true || bytes.length < SMALL
    const { store } = request.git
    const looked: Looked = { git, store, tree, head, ...taken, nested: index.nested, walked }
    const known = [...looked.changes.files, ...touched, ...(await listUnsettled(git, changes))]
    const [state, special, conversions] = await Promise.all([
      addChanges(looked),
      findSpecial(looked, finding),
      sortEarly(git, known),
    ])
    if (state === null) return null
    const { state_tree } = state
    const found = { request, scratch, looked, state_tree, known, conversions, modes: special.modes }
    const verbatim = await findVerbatimOf(found)
    const holding = index.nested.filter((path) => holdsFiles(tree, path))
    const apart = [...holding, ...changes.nested, ...state.left_out].map(showRaw)
    const capture = describeCapture(head, {
      tree,
      staged: looked.staged,
      excluded: looked.excluded,
      state_tree,
      verbatim,
      incomplete: [...apart, ...notInside(special.hidden, apart), ...special.special],
      has_ignored: changes.has_ignored,
    })
    return { capture, moved: await request.heads.hasMoved(head) }
  })
}

interface QuickState {
  readonly request: CaptureRequest
  readonly scratch: Scratch
  readonly looked: Looked
  readonly state_tree: ObjectId
  /** Raw paths that are known to be touched. */
  readonly known: readonly string[]
  readonly conversions: Conversions
  readonly modes: Modes
}

async function findVerbatimOf(state: QuickState): Promise<Verbatim | null> {
  const { request, scratch, looked, state_tree, known, conversions, modes } = state
  const { git, tree, excluded, nested } = looked
  const touched = await findTouched({ git, base: request.fallbackHead, state_tree, known, excluded })
  return findVerbatim({
    scratch,
    tree,
    state_tree,
    touched,
    conversions,
    nested,
    unheld: [],
    directories: modes,
  })
}

const listUnsettled = (git: Git, { restless }: SeenChanges): string[] | Promise<string[]> =>
  restless ? listRestless(git) : []

/** Not where the rules themselves have changed: git takes some of them from an index that is being written. */
const sortEarly = async (git: Git, known: readonly string[]): Promise<Conversions> =>
  known.some(givesAttributes) ? new Map() : sortByConversion(git, known)

interface Seen {
  readonly git: Git
  readonly tree: string
  readonly head: Head
  readonly changes: Changes
  readonly staged: ObjectId
}

interface Looked extends Seen {
  readonly store: Git
  /** Whether it is walked even if it is clean. */
  readonly walked: boolean
  /** Raw paths at which the index names a nested repository. */
  readonly nested: readonly string[]
  /** Raw paths that are left out: out of the private index, too. */
  readonly excluded: readonly string[]
}

const isCleanStatus = ({ head, changes, staged, excluded }: Looked): boolean =>
  staged === head.head_tree && changes.files.length + changes.nested.length + excluded.length === 0

async function leaveOut(
  { git, tree, head, changes, staged }: Seen,
  rules: LeaveOut,
): Promise<Pick<Looked, 'changes' | 'staged' | 'excluded'>> {
  if (rules === NOTHING_LEFT_OUT) return { changes, staged, excluded: [] }
  const headTree = head.head_tree
  const index = await dropSecrets(git, { headTree, tree: staged }, rules)
  const unwanted = new Set(rules.untracked ? changes.untracked : [])
  const wanted = changes.files.filter((path) => !unwanted.has(path))
  const out = await pickLeftOut({ git, tree, headTree }, wanted, rules)
  if (out.size > 0) await dropEntries(git, headTree, out)
  return {
    changes: { ...changes, files: wanted.filter((path) => !out.has(path)) },
    staged: index.tree,
    excluded: [...index.dropped, ...out],
  }
}

/** Bytes of an index. In a smaller tree a walk costs next to nothing. */
const SMALL = 1 << 18

/**
 * Pipes and sockets hold nothing that could be lost, so they count only where the tree has other work. In a large one
 * that has none, the walk would cost as much as all the rest.
 */
async function findSpecial(looked: Looked, finding: FindSpecialFiles): Promise<SpecialFiles> {
  if (isCleanStatus(looked) && !looked.walked) return { special: [], hidden: [], modes: new Map() }
  const skip = new Set(looked.changes.ignored_directories.map(showRaw))
  const found = await finding(skip)
  return { ...found, special: isCleanStatus(looked) ? [] : await notIgnored(looked.git, found.special) }
}

/** null where a file vanished, cannot be read, or was cut short, which ends git. */
async function addChanges(looked: Looked): Promise<WrittenState | null> {
  const { head } = looked
  const tree = isCleanStatus(looked) ? head.head_tree : await importChanges(looked)
  const serves = tree !== null && (looked.staged === head.head_tree || (await isOnlyTheirs(looked, tree)))
  return serves ? { state_tree: tree, left_out: [] } : addToIndex(looked)
}

/** False where somebody has staged by force what does not belong to the state. */
async function isOnlyTheirs({ git, head, nested }: Looked, tree: ObjectId): Promise<boolean> {
  const { foreign, links } = await findIntruders(git, { head, tree, stagedLinks: nested })
  return foreign.length + links.length === 0
}

const importChanges = ({ git, store, tree, staged, changes, excluded, nested }: Looked) =>
  importState({ git, store, tree, staged, files: changes.files, dropped: excluded, nested })

async function addToIndex(looked: Looked): Promise<WrittenState | null> {
  const { git, tree, head, changes, staged, nested } = looked
  if (changes.files.length > 0) {
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
    const added = await git
      .run([...PRIVATE_INDEX, ...args], { input: rawInput(changes.files) })
      .catch(nullUnlessStuck)
    // A name that git refuses is only a warning.
    if (added === null || added.stderr !== '') return null
  }
  const suspicious =
    staged !== head.head_tree ||
    looked.excluded.length > 0 ||
    (await selectInSlices(changes.files, (path) => isDirectory(tree, path))).length > 0
  if (suspicious) return writeState(git, head, nested)
  return { state_tree: await writeTree(git), left_out: [] }
}
