// The careful way to capture a tree: whatever its index holds and whatever happens to its files meanwhile.

import { type ObjectId, parseObjectId } from '../model/ids.ts'
import { showRaw } from '../model/raw-bytes.ts'
import { addEverything } from './add-everything.ts'
import { type Attempt, type CaptureRequest, describeCapture, notIgnored } from './describe-capture.ts'
import type { Git } from './effects.ts'
import { splitFields } from './git.ts'
import { holdsFiles, PRIVATE_INDEX, settleOddities } from './index-oddities.ts'
import { readHead } from './read-head.ts'
import { isWholeIndex, seedFromHead, withScratchIndex } from './scratch-index.ts'
import { findSpecialFiles } from './special-files.ts'
import { isOurs, writeState } from './write-state.ts'

/** `setAside` are paths at which git gave up before. */
export async function captureCarefully(
  request: CaptureRequest,
  setAside: readonly string[],
): Promise<Attempt> {
  const tree = request.where.tree_path
  const head = await readHead(request)
  return withScratchIndex({ ...request, head: head.head }, async (git, index) => {
    if (index !== null && !isWholeIndex(index, head.head.length / 2)) await seedFromHead(git)
    const staged = await tryWriteTree(git)
    const nested = await settleOddities(git, tree)
    const [added, unseen] = await Promise.all([addEverything(git, tree, setAside), lookAtUnseen(git, tree)])
    if (!added.done) return added
    const { state_tree, left_out } = await writeState(git, head, nested)
    const holding = nested.filter((path) => holdsFiles(tree, path))
    const capture = describeCapture(head, {
      tree,
      staged,
      state_tree,
      incomplete: [...[...holding, ...left_out].map(showRaw), ...added.incomplete, ...unseen.special],
      has_ignored: unseen.has_ignored,
    })
    return { capture, moved: (await readHead(request)).head !== head.head }
  })
}

/** null where unmerged paths (or objects that are missing) make no tree. */
async function tryWriteTree(git: Git): Promise<ObjectId | null> {
  const written = await git.run([...PRIVATE_INDEX, 'write-tree'], { answers: [128] })
  return written.exitCode === 0 ? parseObjectId(written.stdout.toString('utf8')) : null
}

/** What `git add` does not tell: whether something is ignored, and pipes, sockets and devices that are not. */
async function lookAtUnseen(git: Git, tree: string): Promise<{ has_ignored: boolean; special: string[] }> {
  const args = ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']
  const listed = await git.run([...PRIVATE_INDEX, ...args])
  const ignored = splitFields(listed.stdout).filter((path) => !isOurs(path))
  const skip = new Set(ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)))
  return {
    has_ignored: ignored.length > 0,
    special: await notIgnored(git, await findSpecialFiles(tree, skip)),
  }
}
