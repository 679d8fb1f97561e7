// The careful way to capture a tree: it works whatever the index holds and whatever happens to the files meanwhile.

import { join } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { splitFields } from '../../../doors/git/git.ts'
import { holdsFiles, PRIVATE_INDEX, settleOddities } from '../../../doors/git/index-oddities.ts'
import type { Head } from '../../../doors/git/read-head.ts'
import { isWholeIndex, seedFromHead, withScratchIndex } from '../../../doors/git/scratch-index.ts'
import { type ObjectId, parseObjectId } from '../../../model/ids.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawFields, showRaw } from '../../../model/raw-bytes.ts'
import { addEverything } from './add-everything.ts'
import { type Attempt, type CaptureRequest, describeCapture, notIgnored } from './describe-capture.ts'
import {
  dropEntries,
  dropSecrets,
  type Kept,
  type LeaveOut,
  NOTHING_LEFT_OUT,
  pickLeftOut,
  type WorkTree,
} from './leave-out.ts'
import { findSpecialFiles } from './special-files.ts'
import { writeState } from './write-state.ts'

/** `setAside` are paths at which git gave up before. */
export async function captureCarefully(
  request: CaptureRequest,
  setAside: readonly string[],
): Promise<Attempt> {
  const tree = request.where.tree_path
  const head = await request.heads.read()
  return withScratchIndex({ ...request, head: head.head }, async ({ git, dir, readIndex }) => {
    const index = readIndex()
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
    const capture = describeCapture(head, {
      tree,
      staged: staged?.tree ?? null,
      excluded: [...(staged?.dropped ?? []), ...leftOut, ...state.dropped],
      state_tree: state.tree,
      incomplete: [
        ...conflicts,
        ...[...holding, ...left_out].map(showRaw),
        ...added.incomplete,
        ...unseen.special,
      ],
      has_ignored: unseen.has_ignored,
    })
    return { capture, moved: await request.heads.hasMoved(head) }
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
  const listed = await place.git.run([...PRIVATE_INDEX, 'ls-files', ...kinds, '-z'])
  return pickLeftOut(place, rawFields(listed.stdout), rules)
}

/** null where the index cannot be written as a tree: it has unmerged paths, or objects are missing. */
async function tryWriteTree(git: Git): Promise<ObjectId | null> {
  const written = await git.run([...PRIVATE_INDEX, 'write-tree'], { answers: [128] })
  return written.exitCode === 0 ? parseObjectId(written.stdout.toString('utf8')) : null
}

/** What `git add` does not tell: whether anything is ignored, and which pipes, sockets and devices are not ignored. */
async function lookAtUnseen(git: Git, tree: string): Promise<{ has_ignored: boolean; special: string[] }> {
  const args = ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']
  const listed = await git.run([...PRIVATE_INDEX, ...args])
  const ignored = splitFields(listed.stdout).filter((path) => !isMarkerPath(path))
  const skip = new Set(ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)))
  return {
    has_ignored: ignored.length > 0,
    special: await notIgnored(git, await findSpecialFiles(tree, skip)),
  }
}
