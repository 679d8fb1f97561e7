// A work tree's whole state as git objects, taken beside whatever goes on in it: a private index, no lock, no ref, no
// hook, nothing in a nested repository run. Files that come and go while git reads them cost another attempt.

import { join } from 'node:path'
import { AgencyError } from '../model/errors.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import { showRaw } from '../model/raw-bytes.ts'
import { addChanged, type Changed } from './add-changed.ts'
import { addEverything } from './add-everything.ts'
import type { Capture } from './changeset.ts'
import type { Git } from './effects.ts'
import { lstatIfThere } from './files.ts'
import { splitFields } from './git.ts'
import { holdsFiles, isDirectory, PRIVATE_INDEX, settleOddities } from './index-oddities.ts'
import { readPlainIndex } from './plain-index.ts'
import { type Head, type HeadRequest, readHead, readHeadFile } from './read-head.ts'
import { withScratchIndex } from './scratch-index.ts'
import { findSpecialFiles } from './special-files.ts'
import { isOurs, type State, writeState, writeTree } from './write-state.ts'

export interface CaptureRequest extends HeadRequest {
  /** An existing directory of ours for the private index. */
  readonly scratchDir: string
}

/** Each lost race costs one; an agent that rewrites files in a loop loses us about every second one. */
const ATTEMPTS = 40

/** Where the agent commits faster than we read, the HEAD from before the reading serves: its commits are in the files. */
const HEAD_ATTEMPTS = 2

export async function captureTree(request: CaptureRequest): Promise<Capture> {
  let failed: Failed | null = null
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const taken: Taken | Failed =
      failed === null ? await captureQuickly(request) : await captureSlowly(request, failed.setAside)
    if ('setAside' in taken) failed = taken
    else if (!taken.moved || attempt >= HEAD_ATTEMPTS) return taken.capture
  }
  const why = failed?.said ?? ''
  throw new AgencyError('E_GIT_FAILED', `the files of ${request.where.tree_path} could not be read: ${why}`)
}

interface Taken {
  readonly capture: Capture
  /** HEAD is elsewhere by now: the agent committed meanwhile. */
  readonly moved: boolean
}

interface Failed {
  readonly setAside: readonly string[]
  readonly said: string
}

const NOT_ORDINARY: Failed = { setAside: [], said: '' }

/** One look at what changed; everything that can wait for nothing runs beside it. */
async function captureQuickly(request: CaptureRequest): Promise<Taken | Failed> {
  const tree = request.where.tree_path
  const file = readHeadFile(request.where.git_dir)
  if (file === null) return NOT_ORDINARY
  return withScratchIndex({ ...request, head: file }, async (git, index) => {
    const links = index === null ? null : readPlainIndex(index)
    if (links === null || !links.every((path) => isDirectory(tree, path))) return NOT_ORDINARY
    const skip = new Set<string>()
    const [head, changed, special] = await Promise.all([
      readHead(request),
      addChanged(git, tree, { links, skip }),
      findSpecialFiles(tree, skip),
    ])
    if (changed === null || head.unborn) return NOT_ORDINARY
    const [{ state_tree, left_out }, after] = await Promise.all([
      readState(git, head, { changed, links }),
      readHead(request),
    ])
    const capture = describe(head, {
      tree,
      staged: changed.staged,
      state_tree,
      incomplete: [
        ...links.filter((path) => holdsFiles(tree, path)).map(showRaw),
        ...left_out.map(showRaw),
        ...changed.incomplete,
        ...(await notIgnored(git, special)),
      ],
      has_ignored: changed.has_ignored,
    })
    return { capture, moved: after.head !== head.head }
  })
}

interface Quick {
  readonly changed: Changed
  readonly links: readonly string[]
}

async function readState(git: Git, head: Head, { changed, links }: Quick): Promise<State> {
  if (changed.suspicious) return writeState(git, head, links)
  const state_tree = changed.anything ? await writeTree(git) : head.head_tree
  return { state_tree, left_out: [] }
}

async function captureSlowly(request: CaptureRequest, setAside: readonly string[]): Promise<Taken | Failed> {
  const tree = request.where.tree_path
  const head = await readHead(request)
  return withScratchIndex({ ...request, head: head.head }, async (git) => {
    const staged = await tryWriteTree(git)
    const nested = await settleOddities(git, tree)
    const [added, unseen] = await Promise.all([addEverything(git, tree, setAside), lookAtUnseen(git, tree)])
    if (!added.done) return added
    const { state_tree, left_out } = await writeState(git, head, nested)
    const holding = nested.filter((path) => holdsFiles(tree, path))
    const capture = describe(head, {
      tree,
      staged,
      state_tree,
      incomplete: [...[...holding, ...left_out].map(showRaw), ...added.incomplete, ...unseen.special],
      has_ignored: unseen.has_ignored,
    })
    return { capture, moved: (await readHead(request)).head !== head.head }
  })
}

interface Found {
  readonly tree: string
  /** The tree of the index; null where it makes none, or is known to be HEAD's. */
  readonly staged: ObjectId | null
  readonly state_tree: ObjectId
  readonly incomplete: readonly string[]
  readonly has_ignored: boolean
}

function describe({ head, head_ref, head_tree, unborn }: Head, taken: Found): Capture {
  const incomplete = new Set([...replacedGit(taken.tree), ...taken.incomplete])
  return {
    head,
    head_ref,
    unborn,
    index_tree: taken.staged === head_tree ? null : taken.staged,
    state_tree: taken.state_tree,
    dirty: taken.state_tree !== head_tree,
    incomplete: [...incomplete].filter((path) => !isOurs(path)).sort(),
    has_ignored: taken.has_ignored,
  }
}

/** The link to the repository, where the agent has put a repository of its own in its place. */
const replacedGit = (tree: string): string[] =>
  lstatIfThere(join(tree, '.git'))?.isDirectory() === true ? ['.git'] : []

/** null where unmerged paths (or objects that are missing) make no tree. */
async function tryWriteTree(git: Git): Promise<ObjectId | null> {
  const written = await git.run([...PRIVATE_INDEX, 'write-tree'], { answers: [128] })
  return written.exitCode === 0 ? parseObjectId(written.stdout.toString('utf8')) : null
}

/** What `git add` does not tell: whether something is ignored, and pipes, sockets and devices that are not. */
async function lookAtUnseen(git: Git, tree: string): Promise<{ has_ignored: boolean; special: string[] }> {
  const listed = await git.run([
    ...PRIVATE_INDEX,
    'ls-files',
    '-o',
    '-i',
    '--exclude-standard',
    '--directory',
    '-z',
  ])
  const ignored = splitFields(listed.stdout).filter((path) => !isOurs(path))
  const skip = new Set(ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)))
  return {
    has_ignored: ignored.length > 0,
    special: await notIgnored(git, await findSpecialFiles(tree, skip)),
  }
}

async function notIgnored(git: Git, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const input = paths.map((path) => `${path}\0`).join('')
  const asked = await git.run(['check-ignore', '-z', '--stdin'], { input, answers: [1, 128] })
  const ignored = new Set(splitFields(asked.stdout))
  return paths.filter((path) => !ignored.has(path))
}
