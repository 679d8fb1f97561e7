// Lock files in a repository's git directory. A git that is killed leaves its own, and from then on every git that needs
// the same lock is refused. One is removed only where nobody can be holding it.

import { linkSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ProcessIdentity } from '../../model/invocation.ts'
import type { Processes } from '../effects.ts'
import { isErrno, listDirents, lstatIfThere, readTextIfRegular } from '../system/files.ts'
import { linkedTreeOf } from './linked-worktrees.ts'

/** A repository, as far as its locks go. */
export interface Locked {
  readonly git: { readonly commonDir: string }
  readonly paths: { readonly dir: string; readonly cleanRoom: string }
  readonly effects: { readonly processes: Pick<Processes, 'holderOf' | 'identityOf'> }
}

/** Whoever looks must not walk for ever: an agent can make directories among the refs. */
const MOST = 20_000

/** Paths of all lock files, those of linked worktrees, of refs and of our clean room too. No link is followed. */
export function listLocks({ git: { commonDir }, paths }: Pick<Locked, 'git' | 'paths'>): string[] {
  const worktrees = join(commonDir, 'worktrees')
  const tops = [commonDir, paths.cleanRoom, ...directoriesIn(worktrees)]
  return [...tops.flatMap(locksIn), ...locksBelow(join(commonDir, 'refs')), ...ownRefs(worktrees)].sort()
}

/** The refs that a linked worktree has for itself. */
const ownRefs = (worktrees: string): string[] =>
  directoriesIn(worktrees).flatMap((dir) => locksBelow(join(dir, 'refs')))

const locksIn = (dir: string): string[] =>
  listDirents(dir)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.lock'))
    .map(({ name }) => join(dir, name))

const directoriesIn = (dir: string): string[] =>
  listDirents(dir)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(dir, name))

function locksBelow(root: string): string[] {
  const found: string[] = []
  const waiting = lstatIfThere(root)?.isDirectory() === true ? [root] : []
  for (let seen = 0; waiting.length > 0 && seen < MOST; seen++) {
    const dir = waiting.pop() ?? root
    found.push(...locksIn(dir))
    waiting.push(...directoriesIn(dir))
  }
  return found
}

/** null: nobody on this machine can be holding it, so a dead git has left it. */
export function lockHolder(repository: Locked, path: string): ProcessIdentity | null {
  const { processes } = repository.effects
  // Our own lock of an index is closed while it is held, and its maker is no git.
  const [, pid] = /^agency (\d+) /.exec(readTextIfRegular(path) ?? '') ?? []
  return (
    (pid === undefined ? null : processes.identityOf(Number(pid))) ??
    processes.holderOf(path, placesOf(repository))
  )
}

/** Where a git that works in this repository is. */
function placesOf({ git: { commonDir }, paths }: Locked): string[] {
  const linked = directoriesIn(join(commonDir, 'worktrees')).flatMap((dir) => linkedTreeOf(dir) ?? [])
  return [commonDir, paths.dir, ...(commonDir.endsWith('/.git') ? [dirname(commonDir)] : []), ...linked]
}

/** Returns whether it is gone. Looks again at what it has taken away: another git may have locked just now. */
export function removeStaleLock(repository: Locked, path: string): boolean {
  const seen = lstatIfThere(path)
  if (seen === null) return true
  if (!seen.isFile() || lockHolder(repository, path) !== null) return false
  const aside = join(repository.git.commonDir, `agency-stale-lock-${process.pid}`)
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return true
    throw error
  }
  const same = lstatIfThere(aside)?.ino === seen.ino
  if (!same) linkSync(aside, path)
  rmSync(aside, { force: true })
  return same
}
