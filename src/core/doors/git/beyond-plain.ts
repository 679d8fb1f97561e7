// What a tree's own git directory holds that nothing else has: the repositories of its submodules, a rebase or merge in
// progress, refs of this tree alone, sparse settings. What `git worktree add` and ordinary work leave there is listed
// here; whatever is not on the list counts.

import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../system/files.ts'

export interface PlainParts {
  readonly files: ReadonlySet<string>
  /** What each of these directories may hold, by its path from there. `anything` is not looked at. */
  readonly directories: Readonly<Record<string, readonly string[] | 'anything'>>
}

/** In every work tree's git directory. Locks in it are those of a killed git. */
const EVERYWHERE = [
  'HEAD',
  'ORIG_HEAD',
  'FETCH_HEAD',
  'COMMIT_EDITMSG',
  // A rebase leaves it when it ends. While one is in progress, there are other notes too.
  'AUTO_MERGE',
  'index',
  'index.lock',
  'HEAD.lock',
] as const

export const PLAIN_LINKED: PlainParts = {
  files: new Set([...EVERYWHERE, 'commondir', 'gitdir']),
  directories: { logs: ['HEAD'], 'fsmonitor--daemon': 'anything' },
}

/** A repository of its own has much more. Its refs are compared with those that it began with (see own-refs.ts). */
export const PLAIN_REPOSITORY: PlainParts = {
  files: new Set([...EVERYWHERE, 'config', 'description', 'packed-refs', 'shallow', 'gc.log']),
  directories: {
    objects: 'anything',
    refs: 'anything',
    logs: 'anything',
    'fsmonitor--daemon': 'anything',
    info: ['exclude', 'attributes', 'refs'],
  },
}

/** Names of the entries that are not plain, sorted; `.` where the directory cannot be read; none where it is not there. */
export function listBeyondPlain(gitDir: string, plain: PlainParts): string[] {
  try {
    const entries = readdirSync(gitDir, { withFileTypes: true })
    return entries
      .filter((entry) => !isPlain(gitDir, entry, plain))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    return isErrno(error, 'ENOENT') ? [] : ['.']
  }
}

function isPlain(gitDir: string, entry: Dirent, { files, directories }: PlainParts): boolean {
  const { name } = entry
  if (entry.isFile()) return files.has(name) || SHARED_INDEX.test(name) || isEmptyNote(gitDir, name)
  // The socket of git's own watcher.
  if (!entry.isDirectory()) return entry.isSocket() && name === 'fsmonitor--daemon.ipc'
  const known = directories[name] ?? []
  return known === 'anything' || !holdsOther(join(gitDir, name), '', known)
}

/** The index names it, and is kept as a tree. */
const SHARED_INDEX = /^sharedindex\.[0-9a-f]+$/

/** With rerere, git leaves this file empty after every merge. */
const isEmptyNote = (gitDir: string, name: string): boolean =>
  name === 'MERGE_RR' && lstatSync(join(gitDir, name)).size === 0

/** Whether there is anything but directories and the known files; also where that cannot be seen. */
function holdsOther(root: string, below: string, known: readonly string[]): boolean {
  try {
    return readdirSync(join(root, below), { withFileTypes: true }).some((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      return entry.isDirectory() ? holdsOther(root, path, known) : !entry.isFile() || !known.includes(path)
    })
  } catch {
    return true
  }
}
