// The careful way to capture a tree: it works whatever the index holds and whatever happens to the files meanwhile.

import { join } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { splitFields } from '../../../doors/git/git.ts'
import { holdsFiles, PRIVATE_INDEX, settleOddities } from '../../../doors/git/index-oddities.ts'
import type { Head } from '../../../doors/git/read-head.ts'
import {
  isWholeIndex,
  type Scratch,
  seedFromHead,
  withScratchIndex,
} from '../../../doors/git/scratch-index.ts'
import { type ObjectId, parseObjectId } from '../../../model/ids.ts'
import { readPlainIndex } from '../../../model/index-file.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawFields, showRaw } from '../../../model/raw-bytes.ts'
import type { Modes } from '../../../model/verbatim.ts'
import type { Verbatim } from '../../changeset.ts'
import { readFilled } from '../make/filled-stamp.ts'
import { addEverything } from './add-everything.ts'
import { listChanged } from './add-in-parts.ts'
import {
  type Attempt,
  type CaptureRequest,
  describeCapture,
  notIgnored,
  notInside,
} from './describe-capture.ts'
import { findTouched, listRestless, listTouched } from './find-touched.ts'
import { findVerbatim } from './find-verbatim.ts'
import type { Unheld } from './git-complaints.ts'
import {
  dropEntries,
  dropSecrets,
  type Kept,
  type LeaveOut,
  NOTHING_LEFT_OUT,
  pickLeftOut,
  type WorkTree,
} from './leave-out.ts'
import { findSpecialFiles, type SpecialFiles } from './special-files.ts'
import { writeState } from './write-state.ts'

/** `setAside` are paths at which git gave up before. */
export async function captureCarefully(
  request: CaptureRequest,
  setAside: readonly string[],
): Promise<Attempt> {
  const tree = request.where.tree_path
  const head = await request.heads.read()
  return withScratchIndex({ ...request, head: head.head }, async (scratch) => {
    const { git, dir } = scratch
    const index = scratch.readIndex()
    if (index !== null && !isWholeIndex(index, head.head.length / 2)) await seedFromHead(git)
    const rules = request.leaveOut ?? NOTHING_LEFT_OUT
    const staged = await stageWithout(git, head, rules)
    const nested = await settleOddities(git, tree)
    const leftOut = await findLeftOut({ git, tree, headTree: head.head_tree }, rules)
    const [added, unseen] = await Promise.all([
      addEverything(git, tree, {
        index: join(dir, 'index'),
        setAside,
        leftOut: [...leftOut],
        trackedOnly: rules.untracked,
      }),
      lookAtUnseen(git, tree),
    ])
    if (!added.done) return added
    await dropEntries(git, head.head_tree, leftOut)
    const { state_tree: whole, left_out } = await writeState(git, head, nested)
    const state = await dropSecrets(git, { headTree: head.head_tree, tree: whole }, rules)
    // An index with conflicts is no tree.
    const conflicts = staged === null ? ['.git/index'] : []
    const holding = nested.filter((path) => holdsFiles(tree, path))
    const excluded = [...(staged?.dropped ?? []), ...leftOut, ...state.dropped]
    const verbatim = await findVerbatimThere(
      { ...request, scratch },
      { state_tree: state.tree, excluded, nested, unheld: added.incomplete, directories: unseen.modes },
    )
    const apart = [...[...holding, ...left_out].map(showRaw), ...added.incomplete.map(({ path }) => path)]
    const capture = describeCapture(head, {
      tree,
      staged: staged?.tree ?? null,
      excluded,
      state_tree: state.tree,
      verbatim,
      unheld: added.incomplete,
      incomplete: [
        ...conflicts,
        ...[...holding, ...left_out].map(showRaw),
        ...notInside(unseen.hidden, apart),
        ...(await notIgnored(git, notInside(unseen.special, apart))),
      ],
      has_ignored: unseen.has_ignored,
    })
    return { capture, moved: await request.heads.hasMoved(head) }
  })
}

interface CarefulState {
  readonly state_tree: ObjectId
  /** Raw. */
  readonly excluded: readonly string[]
  readonly unheld: readonly Unheld[]
  readonly directories: Modes
  /** Raw. */
  readonly nested: readonly string[]
}

/** git has noted the times of all files in the private index, as far as that can be understood. */
async function findVerbatimThere(
  { where, fallbackHead, scratch }: CaptureRequest & { readonly scratch: Scratch },
  { state_tree, excluded, unheld, directories, nested }: CarefulState,
): Promise<Verbatim | null> {
  const { git, readIndex } = scratch
  const tree = where.tree_path
  const index = readPlainIndex(readIndex() ?? Buffer.alloc(0), fallbackHead.length / 2, readFilled(tree))
  const known = index === null ? null : [...(await listTouched(tree, index)), ...(await listRestless(git))]
  const touched = await findTouched({ git, base: fallbackHead, state_tree, known, excluded })
  return findVerbatim({
    scratch,
    tree,
    state_tree,
    touched,
    directories,
    nested,
    unheld: unheld.map(({ path }) => path),
  })
}

/** null where the index cannot be written as a tree. */
async function stageWithout(git: Git, { head_tree }: Head, rules: LeaveOut): Promise<Kept | null> {
  const tree = await tryWriteTree(git)
  return tree === null ? null : dropSecrets(git, { headTree: head_tree, tree }, rules)
}

/** Finds what is to be left out, before git reads any file. */
async function findLeftOut(place: WorkTree, rules: LeaveOut): Promise<ReadonlySet<string>> {
  if (rules === NOTHING_LEFT_OUT) return new Set()
  const kinds = rules.untracked ? ['-m'] : ['-m', '-o', '--exclude-standard']
  const listed = await place.git.run([...PRIVATE_INDEX, 'ls-files', ...kinds, '-z'], { answers: [128] })
  // git ends at a file whose filter fails. Then files that were only touched count too.
  const paths =
    listed.exitCode === 0 ? rawFields(listed.stdout) : await listChanged(place.git, rules.untracked)
  return pickLeftOut(place, paths, rules)
}

/** null where the index cannot be written as a tree: it has unmerged paths, or objects are missing. */
async function tryWriteTree(git: Git): Promise<ObjectId | null> {
  const written = await git.run([...PRIVATE_INDEX, 'write-tree'], { answers: [128] })
  return written.exitCode === 0 ? parseObjectId(written.stdout.toString('utf8')) : null
}

/** What `git add` does not tell: whether anything is ignored, and what git passes over without a word. */
async function lookAtUnseen(git: Git, tree: string): Promise<SpecialFiles & { has_ignored: boolean }> {
  const args = ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']
  const listed = await git.run([...PRIVATE_INDEX, ...args])
  const ignored = splitFields(listed.stdout).filter((path) => !isMarkerPath(path))
  const skip = new Set(ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)))
  return { has_ignored: ignored.length > 0, ...(await findSpecialFiles(tree, skip)) }
}
