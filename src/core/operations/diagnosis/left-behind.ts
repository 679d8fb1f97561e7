// Lists what killed commands have left: files and directories that should exist for an instant only. Each has a name of
// ours, lies in a place of ours, and is too old for anybody to be using it.

import { basename, join } from 'node:path'
import { isRealDirectory } from '../../changesets/presence.ts'
import { deletePath, isDirectoryItself, listNames, lstatIfThere } from '../../doors/system/files.ts'
import { readHolder } from '../../doors/system/lock.ts'
import { STAMP_ENDING } from '../../doors/system/processes.ts'
import { makerOf } from '../../doors/system/scratch-directory.ts'
import type { Repository } from '../../store/repository.ts'
import { TURN_LOCK } from '../sandboxes/sandbox-turn.ts'

/** Milliseconds after which a file that exists for an instant only was left by a kill. */
const STALE = 60 * 60 * 1000

export function listLeftBehind(repository: Repository): string[] {
  const { paths } = repository
  const lock = basename(paths.lock)
  return [
    ...listIn(repository, paths.dir, (name) => name.startsWith(`${lock}.`) || isDraft(name)),
    ...listIn(repository, paths.journalsDir, isDraft),
    ...listIn(repository, paths.trashDir, (name) => name.endsWith(STAMP_ENDING)),
    ...[paths.worktreesDir, paths.invocationsDir].flatMap((dir) =>
      listRealDirectories(dir).flatMap((at) => listIn(repository, at, isDraft)),
    ),
    ...listRealDirectories(paths.sandboxesDir).flatMap((at) => [
      ...listIn(repository, at, (name) => name.startsWith(`${TURN_LOCK}.`) || isDraft(name)),
      ...listDeadTurns(repository, at),
    ]),
  ]
}

/** Deletes of these paths what is left behind still: meanwhile something else may lie there, or a link may lead away. */
export function clearLeftBehind(repository: Repository, paths: readonly string[]): void {
  const still = new Set(listLeftBehind(repository))
  for (const path of paths) if (still.has(path)) deletePath(path)
}

/** A file that was being written, as writeAtomic names it. */
const isDraft = (name: string): boolean => /\.json\.\d+$/.test(name)

function listIn({ effects }: Repository, dir: string, isPassing: (name: string) => boolean): string[] {
  if (!isRealDirectory(dir)) return []
  return listNames(dir)
    .filter((name) => {
      const maker = makerOf(name)
      if (maker === null) return isPassing(name) && isStale(join(dir, name))
      return isDirectoryItself(join(dir, name)) && effects.processes.identityOf(maker) === null
    })
    .map((name) => join(dir, name))
}

/** Turns whose holder is dead. Nobody waits for such a turn: a waiter would have taken it over within milliseconds. */
function listDeadTurns({ effects }: Repository, sandboxDir: string): string[] {
  const path = join(sandboxDir, TURN_LOCK)
  const holder = readHolder(path)
  return holder !== null && !effects.processes.isAlive(holder) && isStale(path) ? [path] : []
}

/**
 * Real directories only, because an agent may have put a link to a directory of the person's in the place of its own.
 */
function listRealDirectories(dir: string): string[] {
  if (!isRealDirectory(dir)) return []
  return listNames(dir)
    .map((name) => join(dir, name))
    .filter(isDirectoryItself)
}

function isStale(path: string): boolean {
  const there = lstatIfThere(path)
  return there !== null && Date.now() - there.mtimeMs > STALE
}
