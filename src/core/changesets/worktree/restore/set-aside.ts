// Moves files aside that would be lost if they stayed, and brings them back later. They stay on their file system.
// Paths are raw; no link is followed and nothing is overwritten.

import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { DIR_MODE, isErrno, lstatIfThere } from '../../../doors/system/files.ts'
import { rawBytes } from '../../../model/raw-bytes.ts'

export interface Aside {
  readonly root: string
  /** Where the files are kept: on the same file system. */
  readonly dir: string
}

/** Skips what is gone or was moved before, so that it may be repeated. */
export function setAside({ root, dir }: Aside, paths: readonly string[]): void {
  for (const path of paths) {
    if (lstatIfThere(at(root, path)) === null || lstatIfThere(at(dir, path)) !== null) continue
    mkdirSync(at(dir, parentOf(path)), { recursive: true, mode: DIR_MODE })
    renameSync(at(root, path), at(dir, path))
  }
}

/** A file whose place is taken stays aside. */
export function bringBack(aside: Aside): void {
  if (lstatIfThere(aside.dir)?.isDirectory() === true) bringBackBelow(aside, '')
}

function bringBackBelow(aside: Aside, dir: string): void {
  for (const name of readdirSync(at(aside.dir, dir), { encoding: 'latin1' })) {
    const path = dir === '' ? name : `${dir}/${name}`
    const taken = lstatIfThere(at(aside.root, path))
    if (taken === null) renameSync(at(aside.dir, path), at(aside.root, path))
    else if (taken.isDirectory() && lstatIfThere(at(aside.dir, path))?.isDirectory() === true)
      bringBackBelow(aside, path)
  }
  removeEmpty(at(aside.dir, dir))
}

function removeEmpty(dir: Buffer): void {
  try {
    rmdirSync(dir)
  } catch (error) {
    if (!isErrno(error, 'ENOTEMPTY') && !isErrno(error, 'EEXIST')) throw error
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const at = (root: string, path: string): Buffer =>
  path === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), rawBytes(path)])
