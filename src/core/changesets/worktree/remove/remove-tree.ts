// The only place where a work tree is removed: moved away at once, then deleted in the background or kept for undo.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs'
import { DIR_MODE, lstatIfThere, toOurError } from '../../../doors/system/files.ts'
import { notOurs } from '../../../model/path-safety.ts'
import type { Repository } from '../../../store/repository.ts'
import { keptTreePath, trashTreePath } from '../../../store/trash.ts'
import { type OurTree, proveOurs } from '../proof/our-tree.ts'
import { refuseHeld } from './held-store.ts'

/**
 * `wholeAt` is when git held all files, in milliseconds since the epoch; null if it never did. Throws E_PATH_NOT_OURS.
 * May be repeated: what an earlier, killed attempt has done is not done again.
 */
export function removeTree(repository: Repository, tree: OurTree, wholeAt: number | null): void {
  const { effects, paths } = repository
  const stamp = { now: effects.clock.now(), random: effects.random() }
  const to = (wholeAt === null ? keptTreePath : trashTreePath)(paths, tree.id, stamp)
  const moved = moveOurs(repository, tree, to)
  effects.onStep('make git forget the tree')
  tree.administration.forget(tree)
  effects.onStep('delete the tree')
  if (moved && wholeAt !== null) effects.processes.deleteLater(to, wholeAt)
}

/**
 * False where nothing is there. Proves what it has moved: if that is not ours, moves it back and throws
 * E_PATH_NOT_OURS.
 */
export function moveOurs(repository: Repository, tree: OurTree, to: string): boolean {
  const path = tree.tree_path
  const seen = lstatIfThere(path)
  if (proveOurs(repository, tree) === 'gone' || seen === null) return false
  refuseHeld(repository.git.commonDir, path)
  try {
    mkdirSync(repository.paths.trashDir, { recursive: true, mode: DIR_MODE })
    repository.effects.onStep('move the tree to the trash')
    allowMoving(path)
    tree.administration.packUp(tree)
    renameSync(path, to)
  } catch (error) {
    throw toOurError(path, error)
  }
  const moved = lstatSync(to)
  if (moved.ino === seen.ino && moved.dev === seen.dev) return true
  renameSync(to, path)
  tree.administration.unpack(tree)
  throw notOurs(path, 'another directory was put in its place')
}

/** Whoever moves a directory needs to be allowed to write to it, and the agent may have forbidden that (`chmod a-w .`). */
function allowMoving(path: string): void {
  const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchmodSync(directory, fstatSync(directory).mode | DIR_MODE)
  } finally {
    closeSync(directory)
  }
}
