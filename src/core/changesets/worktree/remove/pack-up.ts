// A tree's git directory goes to the trash inside of the tree, in our own directory there, and comes back with it. It is
// moved as it is: links and pipes that an agent has put into it are never followed or opened.

import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DIR_MODE, isErrno, lstatIfThere } from '../../../doors/system/files.ts'

/** Makes room at `packed`, which lies in the tree's `.agency`. What an agent has put on the way gets another name. */
export function makeRoom(packed: string): void {
  const home = dirname(packed)
  const there = lstatIfThere(home)
  if (there !== null && !there.isDirectory()) setAsReplaced(home)
  mkdirSync(home, { recursive: true, mode: DIR_MODE })
  allowMoving(home)
  setAsReplaced(packed)
}

function setAsReplaced(path: string): void {
  if (lstatIfThere(path) !== null) renameSync(path, `${path}-replaced-${Date.now()}`)
}

/** Whoever moves a directory needs to be allowed to write to it, and the agent may have forbidden that (`chmod a-w .`). */
export function allowMoving(path: string): void {
  const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchmodSync(directory, fstatSync(directory).mode | DIR_MODE)
  } finally {
    closeSync(directory)
  }
}

/**
 * Moves a directory, to another file system too. There `settle` is called when the copy is complete and on disk: after
 * it the copy counts, and what is left of the original may be deleted at any later time.
 */
export function moveDirectory(from: string, to: string, settle: () => void): void {
  try {
    renameSync(from, to)
    return
  } catch (error) {
    if (!isErrno(error, 'EXDEV')) throw error
  }
  const draft = `${to}.part`
  rmSync(draft, { recursive: true, force: true })
  copyDirectory(Buffer.from(from), Buffer.from(draft))
  renameSync(draft, to)
  syncPath(Buffer.from(dirname(to)))
  settle()
  rmSync(from, { recursive: true, force: true, maxRetries: 3 })
}

/** Pipes, sockets and devices hold no bytes and are left out. */
function copyDirectory(from: Buffer, to: Buffer): void {
  mkdirSync(to, { mode: DIR_MODE })
  for (const name of readdirSync(from, { encoding: 'buffer' })) {
    copyEntry(below(from, name), below(to, name))
  }
  chmodSync(to, lstatSync(from).mode & 0o7777)
  syncPath(to)
}

function copyEntry(from: Buffer, to: Buffer): void {
  const entry = lstatSync(from)
  if (entry.isDirectory()) copyDirectory(from, to)
  else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to)
  else if (entry.isFile()) {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    syncPath(to)
  }
}

function syncPath(path: Buffer): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const below = (dir: Buffer, name: Buffer): Buffer => Buffer.concat([dir, Buffer.from('/'), name])
