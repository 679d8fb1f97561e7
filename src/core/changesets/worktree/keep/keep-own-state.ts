// What only the files of a tree's own git directory name would be deleted by git as soon as that directory lies in the
// trash: the commit of an autostash, what a merge merges, the other side of a conflict, refs of this tree alone. One
// commit keeps all of that: commits as its parents, everything else in its tree.

import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import type { Git, RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { listDirents, lstatIfThere, readIfRegular } from '../../../doors/system/files.ts'
import { type ObjectId, parseObjectId } from '../../../model/ids.ts'
import type { Capture } from '../../changeset.ts'

export interface OwnState {
  /** git on the person's repository: what is in no repository but the tree's own goes to the trash with that. */
  readonly git: RepositoryGit
  readonly where: TreeLocation
  readonly capture: Pick<Capture, 'incomplete' | 'index_tree'> & { readonly head: ObjectId | null }
  readonly at: Date
}

/** For a tree whose files are gone or belong to nobody; `head` is a commit that stays anyway. */
export const keepAllOfItsOwn = (
  state: Omit<OwnState, 'capture'> & { readonly head: ObjectId | null },
): Promise<ObjectId[]> =>
  keepOwnState({ ...state, capture: { incomplete: ['.git'], index_tree: null, head: state.head } })

/** The commit, if there is anything to keep. */
export async function keepOwnState(state: OwnState): Promise<ObjectId[]> {
  const { git, where, capture, at } = state
  const paths = capture.incomplete.filter((path) => path === '.git' || path.startsWith('.git/'))
  if (paths.length === 0) return []
  const named = [...listNamed(where.git_dir), ...(await listIndexed(git, where, capture))]
  const found = await selectWhole(git.store, await lookUp(git.store, named), capture.head)
  if (found.length === 0) return []
  const tree = await git.store.object(['mktree'], { input: found.flatMap(treeEntry).join('') })
  const parents = found.filter(({ type }) => type === 'commit').flatMap(({ object }) => ['-p', object])
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`
  const message = "What the tree's own git directory names\n"
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  return [await git.store.object(['commit-tree', tree, ...parents, '-F', '-'], { input: message, env })]
}

interface Found {
  readonly object: ObjectId
  readonly type: 'commit' | 'tree' | 'blob'
}

const treeEntry = ({ object, type }: Found): string[] =>
  type === 'commit' ? [] : [`${type === 'tree' ? '040000' : '100644'} ${type} ${object}\t${object}\n`]

/** An agent may have written anything, so there are limits: files that are read, bytes of each, names that are found. */
const MOST_FILES = 2_000
const LARGEST = 4 << 20
const MOST_NAMED = 5_000

/** Directories that hold objects or are repositories of their own, and the index, which is no text. */
const NOT_READ = /^(objects|modules|hooks|lfs|info|index.*|sharedindex\..*|packed-refs)$/

const NAME = /(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/g

/** The names of objects in the files of a git directory. */
function listNamed(gitDir: string): string[] {
  const named = new Set<string>()
  for (const path of listNotes(gitDir)) {
    for (const [name] of readNote(path).matchAll(NAME)) named.add(name)
    if (named.size > MOST_NAMED) break
  }
  return [...named].slice(0, MOST_NAMED)
}

function listNotes(gitDir: string): string[] {
  const files: string[] = []
  const dirs = [gitDir]
  for (let dir = dirs.pop(); dir !== undefined && files.length < MOST_FILES; dir = dirs.pop()) {
    const at = dir
    const entries = listDirents(at).filter(({ name }) => at !== gitDir || !NOT_READ.test(name))
    const pathOf = ({ name }: Dirent): string => join(at, name)
    dirs.push(...entries.filter((entry) => entry.isDirectory()).map(pathOf))
    files.push(...entries.filter((entry) => entry.isFile()).map(pathOf))
  }
  return files.slice(0, MOST_FILES)
}

/** Empty where it is no file, or a large one. */
const readNote = (path: string): string =>
  readIfRegular(path, { most: LARGEST, links: 'refused' })?.toString('latin1') ?? ''

/** What an index with conflicts names and HEAD does not have: no tree can be made of it. */
async function listIndexed(
  git: RepositoryGit,
  { git_dir }: TreeLocation,
  { index_tree, head }: OwnState['capture'],
) {
  if (index_tree !== null || lstatIfThere(join(git_dir, 'index'))?.isFile() !== true) return []
  const differing =
    head === null
      ? ['ls-files', '-s']
      : ['diff-index', '--cached', '-r', '--raw', '--no-abbrev', '--no-renames', head]
  // The index alone is asked: the tree itself may be gone.
  const alone = git.tree({ tree_path: git_dir, git_dir })
  const looks = [['ls-files', '-u'], differing].map((args) =>
    alone.run([...PRIVATE_INDEX, ...args], { answers: [1, 128] }),
  )
  const said = await Promise.all(looks)
  return said.flatMap(({ stdout }) => stdout.toString('latin1').match(NAME) ?? []).slice(0, MOST_NAMED)
}

/** Those that the repository has. A tag counts as what it leads to. */
async function lookUp(store: Git, named: readonly string[]): Promise<Found[]> {
  const asked = [...new Set(named)].flatMap((name) => [name, `${name}^{}`])
  if (asked.length === 0) return []
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)']
  const said = await store.run(args, { input: `${asked.join('\n')}\n`, answers: [128] })
  const found = new Map<string, Found>()
  for (const line of said.stdout.toString('latin1').split('\n')) {
    const [object = '', type] = line.split(' ')
    if (type !== 'commit' && type !== 'tree' && type !== 'blob') continue
    found.set(object, { object: parseObjectId(object), type })
  }
  return [...found.values()]
}

/**
 * Without what HEAD has, and without what refers to objects that are missing: kept, that would make every later git of
 * the person's complain.
 */
async function selectWhole(
  store: Git,
  found: readonly Found[],
  head: ObjectId | null,
): Promise<readonly Found[]> {
  if (found.length === 0) return []
  const listed = await listObjects(store, found, head)
  if (listed !== null) return found.filter(({ object }) => listed.has(object))
  if (found.length === 1) return []
  const half = found.length >> 1
  return [
    ...(await selectWhole(store, found.slice(0, half), head)),
    ...(await selectWhole(store, found.slice(half), head)),
  ]
}

/** null where an object is missing. */
async function listObjects(store: Git, found: readonly Found[], head: ObjectId | null) {
  const without = head === null ? [] : [`^${head}`]
  const input = [...found.map(({ object }) => object), ...without].map((line) => `${line}\n`).join('')
  const args = ['rev-list', '--objects', '--no-object-names', '--stdin']
  const listed = await store.run(args, { input, answers: [128] })
  return listed.exitCode === 0 ? new Set(listed.stdout.toString('latin1').split('\n')) : null
}
