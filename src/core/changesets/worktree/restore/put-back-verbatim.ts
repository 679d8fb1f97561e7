// Puts back the bytes and modes of a kept state that its tree could not hold, after git has written the files. Each file
// is made beside the tree and renamed into it; no link is followed, neither at a path nor above it. May be repeated.

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { FILE_MODE } from '../../../doors/system/files.ts'
import { plainModesIn } from '../../../doors/system/plain-modes.ts'
import {
  deleteEmptyDirectories,
  deleteFromTree,
  parentsOf,
  rawPath,
  statAt,
} from '../../../doors/system/raw-paths.ts'
import { inScratchDirectory } from '../../../doors/system/scratch-directory.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import {
  isDirectoryMode,
  type Modes,
  PLAIN_FILE,
  permissionsOf,
  plainPermissions,
} from '../../../model/verbatim.ts'
import type { VerbatimFile, VerbatimParts } from './read-verbatim.ts'

export interface PuttingBack {
  readonly store: Git
  /** The work tree's path, which the caller has proved to be ours. */
  readonly tree: string
  /** An existing directory of ours on the same disk. */
  readonly scratchDir: string
}

export async function putBackVerbatim(place: PuttingBack, { files, modes }: VerbatimParts): Promise<void> {
  const { tree, scratchDir } = place
  const wanted = files.filter(({ path }) => isSafe(path) && hasPlace(tree, path))
  await inScratchDirectory(scratchDir, 'verbatim', async (dir) => {
    for (const part of inParts(wanted)) {
      const contents = await readContents(place.store, part)
      for (const [at, file] of part.entries()) placeFile({ tree, dir, modes }, file.path, contents[at])
    }
  })
  makeDirectories(tree, modes)
  setModes(tree, modes)
}

/** Those that hold nothing: git has not made them. */
function makeDirectories(tree: string, modes: Modes): void {
  for (const [path, mode] of modes) {
    const missing =
      isDirectoryMode(mode) && isSafe(path) && hasPlace(tree, path) && statAt(tree, path) === null
    if (missing) mkdirSync(rawPath(tree, path))
  }
}

/** A tree that somebody has made by hand may name anything. */
const isSafe = (path: string): boolean =>
  !isMarkerPath(path) &&
  path.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()))

/** Makes the directories above it that are missing. False where something else stands there. */
function hasPlace(tree: string, path: string): boolean {
  for (const parent of parentsOf(path)) {
    const there = statAt(tree, parent)
    if (there === null) mkdirSync(rawPath(tree, parent))
    else if (!there.isDirectory()) return false
  }
  return statAt(tree, path)?.isDirectory() !== true
}

/** Bytes that are held in memory at once, unless one file has more. */
const MOST_BYTES = 32 << 20

function inParts(files: readonly VerbatimFile[]): VerbatimFile[][] {
  const parts: VerbatimFile[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const file of files) {
    if (bytes + file.size > MOST_BYTES) {
      parts.push([])
      bytes = 0
    }
    bytes += file.size
    parts.at(-1)?.push(file)
  }
  return parts
}

/** Each answer is `object type size`, the bytes, and a line feed. */
async function readContents(store: Git, files: readonly VerbatimFile[]): Promise<Buffer[]> {
  const input = files.map(({ object }) => `${object}\n`).join('')
  const { stdout } = await store.run(['cat-file', '--batch'], { input })
  let at = 0
  return files.map(({ size }) => {
    const begin = stdout.indexOf('\n', at) + 1
    at = begin + size + 1
    return stdout.subarray(begin, begin + size)
  })
}

function placeFile(
  { tree, dir, modes }: { readonly tree: string; readonly dir: string; readonly modes: Modes },
  path: string,
  content: Buffer | undefined,
): void {
  if (content === undefined) return
  const draft = join(dir, 'file')
  // What git has written there says whether it can be run; where git has written nothing, a plain file is made.
  const there = statAt(tree, path)?.mode ?? PLAIN_FILE
  writeFileSync(draft, content, { mode: FILE_MODE, flag: 'wx' })
  const plain = plainPermissions(there, plainModesIn(tree))
  chmodSync(draft, permissionsOf(modes.get(path) ?? plain))
  renameSync(draft, rawPath(tree, path))
}

/** The deepest first: a directory above may be closed by its own mode. */
function setModes(tree: string, modes: Modes): void {
  const depth = (path: string): number => path.split('/').length
  const entries = [...modes].sort(([a], [b]) => depth(b) - depth(a))
  for (const [path, mode] of entries.filter(([, mode]) => !isDirectoryMode(mode))) setMode(tree, path, mode)
  for (const [path, mode] of entries.filter(([, mode]) => isDirectoryMode(mode))) setMode(tree, path, mode)
}

/** Leaves alone what is of another kind by now. */
function setMode(tree: string, path: string, mode: number): void {
  const there = isReached(tree, path) ? statAt(tree, path) : null
  const fits = isDirectoryMode(mode) ? there?.isDirectory() : there?.isFile()
  if (there === null || fits !== true || !isSafe(path)) return
  if (permissionsOf(there.mode) === permissionsOf(mode)) return
  const file = openSync(rawPath(tree, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { ino, dev } = fstatSync(file)
    if (ino === there.ino && dev === there.dev) fchmodSync(file, permissionsOf(mode))
  } finally {
    closeSync(file)
  }
}

const isReached = (tree: string, path: string): boolean =>
  parentsOf(path).every((parent) => statAt(tree, parent)?.isDirectory() === true)

/**
 * Before git writes: opens directories that the state before had closed, and takes away files that git does not know.
 * That state is kept, with all of it. `ofTree` holds the files that git knows.
 */
export function openPlaces(tree: string, { files, modes }: VerbatimParts, ofTree: ReadonlySet<string>): void {
  const plain = plainModesIn(tree)
  const directories = [...modes].filter(([path, mode]) => isDirectoryMode(mode) && isSafe(path))
  for (const [path, mode] of directories.sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isReached(tree, path) || statAt(tree, path)?.isDirectory() !== true) continue
    // It may be closed to us, and then it cannot be opened for this.
    chmodSync(rawPath(tree, path), plainPermissions(mode, plain))
  }
  // Those that hold nothing; they are made again where the state that is written has them too.
  for (const [path] of directories.reverse()) if (isReached(tree, path)) deleteEmptyDirectories(tree, path)
  for (const { path } of files) {
    const alone = !ofTree.has(path) && isSafe(path) && isReached(tree, path)
    if (alone && statAt(tree, path)?.isFile() === true) deleteFromTree(tree, path)
  }
}
