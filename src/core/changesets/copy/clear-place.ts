// Clears a place beside a tree for what we make there. An agent may have put anything in it: what a link leads to is not
// ours to write, and a directory may hold work.

import { mkdirSync, renameSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DIR_MODE, lstatIfThere } from '../../doors/system/files.ts'
import { isWithin, notOurs } from '../../model/path-safety.ts'
import type { Repository } from '../../store/repository.ts'
import { keptTreePath } from '../../store/trash.ts'
import { isRealDirectory } from '../presence.ts'

type Owner = Pick<Repository, 'paths' | 'effects'>

/** Unlinks a link or file and moves a directory to the trash. Throws E_PATH_NOT_OURS. */
export function clearPlace(owner: Owner, path: string): void {
  const there = lstatIfThere(path)
  if (there === null) return
  if (!there.isDirectory()) unlinkSync(path)
  else if (!moveToTrash(owner, path)) throw notOurs(path, 'a symbolic link is on the way to it')
}

/** It waits there with the trees of its sandbox. False where no directory of a sandbox's own lies at the path. */
export function moveToTrash({ paths, effects }: Owner, path: string): boolean {
  if (!isRealDirectory(path) || !isWithin(path, paths.sandboxesDir)) return false
  mkdirSync(paths.trashDir, { recursive: true, mode: DIR_MODE })
  const stamp = { now: effects.clock.now(), random: effects.random() }
  renameSync(path, keptTreePath(paths, basename(dirname(path)), stamp))
  return true
}
