// The only place where a work tree is removed: moved away at once, then deleted in the background or kept for undo.

import { lstatSync, mkdirSync, renameSync } from 'node:fs'
import { DIR_MODE, lstatIfThere, toOurError } from '../../../doors/system/files.ts'
import { notOurs } from '../../../model/path-safety.ts'
import type { Repository } from '../../../store/repository.ts'
import { isKeptTreePath, keptTreePath, trashTreePath } from '../../../store/trash.ts'
import { type OurTree, proveOurs } from '../proof/our-tree.ts'
import { refuseHeld } from './held-store.ts'
import { allowMoving } from './pack-up.ts'

/**
 * `wholeAt` is when git held all files, in milliseconds since the epoch; null if it never did. The files stay too where
 * the tree's own git directory has something now that is nowhere else. Throws E_PATH_NOT_OURS. May be repeated: what an
 * earlier, killed attempt has done is not done again.
 */
export function removeTree(repository: Repository, tree: OurTree, wholeAt: number | null): void {
  const { effects, paths } = repository
  const stamp = { now: effects.clock.now(), random: effects.random() }
  const kept = wholeAt === null || tree.administration.ownWork(tree).length > 0
  const to = (kept ? keptTreePath : trashTreePath)(paths, tree.id, stamp)
  const moved = moveOurs(repository, tree, to)
  effects.onStep('make git forget the tree')
  tree.administration.forget({ ...tree, git_dir: tree.administration.find(tree) })
  effects.onStep('delete the tree')
  if (moved && !kept) effects.processes.deleteLater(to, wholeAt)
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
  let packed = false
  try {
    mkdirSync(repository.paths.trashDir, { recursive: true, mode: DIR_MODE })
    repository.effects.onStep('pack up the tree')
    allowMoving(path)
    packed = tree.administration.packUp(tree, isKeptTreePath(repository.paths, to))
    repository.effects.onStep('move the tree to the trash')
    renameSync(path, to)
  } catch (error) {
    if (packed) tree.administration.unpack(tree)
    throw toOurError(path, error)
  }
  const moved = lstatSync(to)
  if (moved.ino === seen.ino && moved.dev === seen.dev) return true
  renameSync(to, path)
  if (packed) tree.administration.unpack(tree)
  throw notOurs(path, 'another directory was put in its place')
}
