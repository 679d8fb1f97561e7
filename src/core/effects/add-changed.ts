// The quick way to take a tree's files into a private index: ask once what changed, then add that. It serves nearly
// always; whatever is out of the ordinary is left to addEverything.

import type { ObjectId } from '../model/ids.ts'
import { rawFields, rawInput, showRaw } from '../model/raw-bytes.ts'
import { readComplaints } from './add-everything.ts'
import type { Git } from './effects.ts'
import { isDirectory, PRIVATE_INDEX } from './index-oddities.ts'
import { isOurs, writeTree } from './write-state.ts'

export interface Changed {
  /** The tree of the index as it was; null where that is known to be HEAD's. */
  readonly staged: ObjectId | null
  /** Something is staged, or was added here. */
  readonly anything: boolean
  /** The index may hold what does not belong to the state: see writeState. */
  readonly suspicious: boolean
  /** As shown: what git cannot hold. */
  readonly incomplete: readonly string[]
  readonly has_ignored: boolean
}

/** Nested repositories are never looked into, whatever any configuration says. */
const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=all',
  '--ignored=matching',
  '--no-renames',
  '--ignore-submodules=all',
] as const

export interface Known {
  /** Raw paths of nested repositories that the index names: whether they are staged, status does not tell. */
  readonly links: readonly string[]
  /** Ignored directories are put in here, as shown and without a slash, as soon as they are known. */
  readonly skip: Set<string>
}

/** null: take the slow way, on a fresh index. */
export async function addChanged(git: Git, tree: string, { links, skip }: Known): Promise<Changed | null> {
  const status = await attempt(git, STATUS)
  if (status === null) return null
  const found = sortStatus(rawFields(status.stdout))
  for (const path of found.ignored) skip.add(showRaw(path.replace(/\/$/, '')))
  if (found.unmerged) return null
  const anything = found.staged || links.length > 0
  const staged = anything ? await writeTree(git) : null
  const files = found.changed.filter((path) => !path.endsWith('/'))
  if (files.length > 0) {
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
    if ((await attempt(git, args, rawInput(files))) === null) return null
  }
  const nested = found.changed.filter((path) => path.endsWith('/')).map((path) => showRaw(path.slice(0, -1)))
  return {
    staged,
    anything: anything || files.length > 0,
    suspicious: found.ours || links.length > 0 || files.some((path) => isDirectory(tree, path)),
    incomplete: [...nested, ...readComplaints(status.stderr).incomplete],
    has_ignored: found.ignored.length > 0,
  }
}

/** null where git failed: a file vanished, cannot be read, or ended git by being cut short. */
const attempt = (git: Git, args: readonly string[], input?: Buffer) =>
  git.run([...PRIVATE_INDEX, ...args], input === undefined ? {} : { input }).catch(() => null)

interface Sorted {
  /** Raw paths; directories and nested repositories end with a slash. */
  readonly ignored: readonly string[]
  readonly changed: readonly string[]
  readonly staged: boolean
  readonly unmerged: boolean
  /** Something under `.agency/` is staged. */
  readonly ours: boolean
}

const UNMERGED = /^(DD|AU|UD|UA|DU|AA|UU)/

/** Pure. Entries are `XY path`: X the index against HEAD, Y the tree against the index. */
export function sortStatus(entries: readonly string[]): Sorted {
  const isStaged = (entry: string): boolean => !' ?!'.includes(entry.charAt(0))
  const theirs = entries.filter((entry) => !isOurs(entry.slice(3)))
  const ignored = theirs.filter((entry) => entry.startsWith('!!'))
  const changed = theirs.filter((entry) => entry.charAt(1) !== ' ' && entry.charAt(1) !== '!')
  return {
    ignored: ignored.map((entry) => entry.slice(3)),
    changed: changed.map((entry) => entry.slice(3)),
    staged: entries.some(isStaged),
    unmerged: entries.some((entry) => UNMERGED.test(entry)),
    ours: entries.some((entry) => isOurs(entry.slice(3)) && isStaged(entry)),
  }
}
