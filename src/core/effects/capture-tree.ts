// A work tree's whole state as git objects, taken beside whatever goes on in it: a private index, no lock, no ref, no
// hook, nothing in a nested repository run. Files that come and go while git reads them cost another attempt.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgencyError } from '../model/errors.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import { showRaw } from '../model/raw-bytes.ts'
import { GITLINK_MODE, parseRawDiff, type RawChange } from '../model/raw-diff.ts'
import { MARKER_DIR } from '../store/paths.ts'
import { addEverything } from './add-everything.ts'
import type { Capture } from './changeset.ts'
import type { Git, RepositoryGit, TreeLocation } from './effects.ts'
import { lstatIfThere } from './files.ts'
import { splitFields } from './git.ts'
import { PRIVATE_INDEX, removal, setEntries, settleOddities } from './index-oddities.ts'
import { withScratchIndex } from './scratch-index.ts'
import { findSpecialFiles } from './special-files.ts'

export interface CaptureRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  /** An existing directory of ours for the private index. */
  readonly scratchDir: string
  /** What counts as HEAD where the tree has none: no commit on its branch yet, or its git directory is damaged. */
  readonly fallbackHead: ObjectId
}

/** Each lost race costs one; an agent that rewrites files in a loop loses us about every second one. */
const ATTEMPTS = 40

/** Where the agent commits faster than we read, the HEAD from before the reading serves: its commits are in the files. */
const HEAD_ATTEMPTS = 2

export async function captureTree(request: CaptureRequest): Promise<Capture> {
  let setAside: readonly string[] = []
  let said = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const head = await readHead(request)
    const taken = await attemptCapture(request, head, setAside)
    if ('setAside' in taken) {
      setAside = taken.setAside
      said = taken.said
    } else if ((await readHead(request)).head === head.head || attempt >= HEAD_ATTEMPTS) return taken
  }
  throw new AgencyError('E_GIT_FAILED', `the files of ${request.where.tree_path} could not be read: ${said}`)
}

interface Head {
  readonly head: ObjectId
  readonly head_ref: string | null
  readonly head_tree: ObjectId
  readonly unborn: boolean
}

async function readHead({ git, where, fallbackHead }: CaptureRequest): Promise<Head> {
  const asked = await git
    .tree(where)
    .run(['rev-parse', 'HEAD', 'HEAD^{tree}', '--symbolic-full-name', 'HEAD'], { answers: [128] })
  const [head, tree, ref] = asked.stdout.toString('utf8').split('\n')
  if (asked.exitCode === 0 && head && tree && ref) {
    return {
      head: parseObjectId(head),
      head_tree: parseObjectId(tree),
      head_ref: ref === 'HEAD' ? null : ref,
      unborn: false,
    }
  }
  return {
    head: fallbackHead,
    head_tree: await git.store.object(['rev-parse', '--verify', `${fallbackHead}^{tree}`]),
    head_ref: readSymbolicHead(where.git_dir),
    unborn: true,
  }
}

/** The branch that HEAD names though it has no commit. */
function readSymbolicHead(gitDir: string): string | null {
  try {
    return /^ref: (refs\/heads\/\S+)\n?$/.exec(readFileSync(join(gitDir, 'HEAD'), 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}

type Failed = { readonly setAside: readonly string[]; readonly said: string }

function attemptCapture(
  request: CaptureRequest,
  head: Head,
  setAside: readonly string[],
): Promise<Capture | Failed> {
  const tree = request.where.tree_path
  const begun_at = Date.now()
  return withScratchIndex({ ...request, head: head.head }, async (git) => {
    const staged = await writeStaged(git, head)
    const nested = await settleOddities(git, tree)
    const [added, unseen] = await Promise.all([addEverything(git, tree, setAside), lookAtUnseen(git, tree)])
    if (!added.done) return added
    const { state_tree, left_out } = await writeState(git, head)
    const incomplete = [
      ...replacedGit(tree),
      ...nested.map(showRaw),
      ...left_out.map(showRaw),
      ...added.incomplete,
      ...unseen.special,
    ]
    return {
      head: head.head,
      head_ref: head.head_ref,
      unborn: head.unborn,
      index_tree: staged,
      state_tree,
      dirty: state_tree !== head.head_tree,
      incomplete: [...new Set(incomplete)].filter((path) => !isOurs(path)).sort(),
      has_ignored: unseen.has_ignored,
      begun_at,
    }
  })
}

/** The link to the repository, where the agent has put a repository of its own in its place. */
const replacedGit = (tree: string): string[] =>
  lstatIfThere(join(tree, '.git'))?.isDirectory() === true ? ['.git'] : []

/** What is staged. null where it is HEAD's tree, or where unmerged paths (or objects that are missing) make no tree. */
async function writeStaged(git: Git, head: Head): Promise<ObjectId | null> {
  const written = await git.run([...PRIVATE_INDEX, 'write-tree'], { answers: [128] })
  if (written.exitCode !== 0) return null
  const tree = parseObjectId(written.stdout.toString('utf8'))
  return tree === head.head_tree ? null : tree
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

/**
 * The tree of the index, once our own directory is as in HEAD again (an agent may add it by force) and nested
 * repositories that nobody staged are out: an entry for one names a commit that is in no repository of ours.
 */
async function writeState(git: Git, head: Head): Promise<{ state_tree: ObjectId; left_out: string[] }> {
  const whole = await git.object([...PRIVATE_INDEX, 'write-tree'])
  if (whole === head.head_tree) return { state_tree: whole, left_out: [] }
  const { changes } = parseRawDiff(await diffRaw(git, head.head_tree, whole))
  const foreign = changes.filter((change) => isOurs(change.path))
  const links = await unstagedLinks(git, changes)
  if (foreign.length + links.length === 0) return { state_tree: whole, left_out: [] }
  await setEntries(git, links.map(without))
  await setEntries(git, foreign.map(without))
  await setEntries(git, foreign.filter(({ kind }) => kind !== 'added').map(toHead))
  return {
    state_tree: await git.object([...PRIVATE_INDEX, 'write-tree']),
    left_out: links.map((change) => change.path),
  }
}

/** New entries for nested repositories that `git add` has just made; those that were staged before are frozen. */
async function unstagedLinks(git: Git, changes: readonly RawChange[]): Promise<RawChange[]> {
  const links = changes.filter((change) => change.new_mode === GITLINK_MODE && !isOurs(change.path))
  if (links.length === 0) return []
  const frozen = new Set(
    splitFields((await git.run([...PRIVATE_INDEX, 'ls-files', '-t', '-z'])).stdout)
      .filter((line) => line.startsWith('S '))
      .map((line) => line.slice(2)),
  )
  return links.filter((change) => !frozen.has(showRaw(change.path)))
}

const without = ({ path, new_object }: RawChange) => removal({ path, object: new_object })
const toHead = ({ path, old_mode, old_object }: RawChange) => ({ mode: old_mode, object: old_object, path })

/** Whatever a .gitmodules in the tree says of nested repositories: they are told of. */
const RAW_TREES = [
  'diff-tree',
  '-r',
  '--raw',
  '--no-renames',
  '--no-abbrev',
  '--ignore-submodules=none',
  '-z',
] as const

const diffRaw = async (git: Git, from: ObjectId, to: ObjectId): Promise<Buffer> =>
  (await git.run([...RAW_TREES, from, to])).stdout

const isOurs = (path: string): boolean => path === MARKER_DIR || path.startsWith(`${MARKER_DIR}/`)
