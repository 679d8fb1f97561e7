// Finds what git passes over without a word: pipes, sockets and devices, whatever is called `.git` in a directory,
// directories that hold nothing, and the modes of the others. A tree may hold 100,000 files, and the dashboard draws in the same process, so the walk
// gives way to other work every few milliseconds. A directory whose entries have not changed is not read again, because
// checkpoints walk the same tree all day.

import { type Dirent, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as giveWay } from 'node:timers/promises'
import { isErrno, listDirents } from '../../../doors/system/files.ts'
import { plainModesIn } from '../../../doors/system/plain-modes.ts'
import { MARKER_DIR } from '../../../model/markers.ts'
import { isPlainMode, type Modes } from '../../../model/verbatim.ts'

/** Milliseconds of walking at a stretch. */
const STRETCH = 5

/** How many trees' directories are remembered. The one that was used longest ago goes first. */
const MOST_TREES = 4
/**
 * Two changes within one tick of a file system's clock leave the same time, so a directory as young as this is read
 * again.
 */
const YOUNG_NS = 2_000_000_000n

interface RememberedTree {
  readonly directories: ReadonlyMap<string, DirectoryInside>
  readonly skip: ReadonlySet<string>
}

const rememberedTrees = new Map<string, RememberedTree>()

/** Paths from the tree's root. */
export interface SpecialFiles {
  /** Pipes, sockets and devices. */
  readonly special: readonly string[]
  /** Whatever is called `.git` below the root, and directories that are too deep to be named: git passes over them. */
  readonly hidden: readonly string[]
  /** Directories that hold nothing, and those with a mode that no check-out would give them. */
  readonly modes: Modes
}

/** As `findSpecialFiles`, for one tree. */
export type FindSpecialFiles = (skip: ReadonlySet<string>) => Promise<SpecialFiles>

/**
 * For whoever learns only later which directories to leave out. Begins at once where the tree was walked before: these
 * are nearly always the same again.
 */
export function beginFindingSpecialFiles(tree: string): FindSpecialFiles {
  const guess = rememberedTrees.get(tree)?.skip
  if (guess === undefined) return (skip) => findSpecialFiles(tree, skip)
  const early = findSpecialFiles(tree, guess).catch(() => null)
  return async (skip) => (isSame(skip, guess) ? await early : null) ?? findSpecialFiles(tree, skip)
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((path) => other.has(path))

/** `skip` names directories to leave out in the same form, without a slash at the end. */
export async function findSpecialFiles(tree: string, skip: ReadonlySet<string>): Promise<SpecialFiles> {
  const special: string[] = []
  const hidden: string[] = []
  const modes = new Map<string, number>()
  const plain = plainModesIn(tree)
  const before = rememberedTrees.get(tree)?.directories
  const now = new Map<string, DirectoryInside>()
  const waiting = ['']
  let since = performance.now()
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    const inside = readDirectory(tree, dir, before?.get(dir))
    if (inside.stamp !== null) now.set(dir, inside)
    waiting.push(...inside.directories.filter((path) => !skip.has(path)))
    special.push(...inside.special)
    hidden.push(...inside.hidden)
    if (inside.isTooDeep) hidden.push(dir)
    if (dir !== '' && inside.mode !== null && (inside.isEmpty || !isPlainMode(inside.mode, plain)))
      modes.set(dir, inside.mode)
    if (performance.now() - since > STRETCH) {
      await giveWay()
      since = performance.now()
    }
  }
  rememberTree(tree, { directories: now, skip })
  return { special: special.sort(), hidden: hidden.sort(), modes }
}

function rememberTree(tree: string, walked: RememberedTree): void {
  rememberedTrees.delete(tree)
  rememberedTrees.set(tree, walked)
  for (const oldest of [...rememberedTrees.keys()].slice(0, -MOST_TREES)) rememberedTrees.delete(oldest)
}

interface DirectoryInside {
  /**
   * Which directory it was, and when its entries last changed: a time that nobody can set back. null: too young to be
   * sure.
   */
  readonly stamp: string | null
  /** null where it cannot be looked at. */
  readonly mode: number | null
  /** Its path is longer than any that can be given to the system, so it cannot be made again either. */
  readonly isTooDeep: boolean
  readonly isEmpty: boolean
  readonly directories: string[]
  readonly special: string[]
  readonly hidden: string[]
}

/** A directory that vanished or cannot be read holds nothing for us; git itself names those that it cannot read. */
function readDirectory(tree: string, dir: string, before: DirectoryInside | undefined): DirectoryInside {
  const path = join(tree, dir)
  const found = stampDirectory(path)
  if (found.stamp !== null && before?.stamp === found.stamp) return before
  return { ...found, ...sortEntries(dir, listDirents(path)) }
}

type Stamped = Pick<DirectoryInside, 'stamp' | 'mode' | 'isTooDeep'>

function stampDirectory(path: string): Stamped {
  const now = BigInt(Date.now()) * 1_000_000n
  try {
    const { dev, ino, ctimeNs, mode } = statSync(path, { bigint: true })
    return {
      isTooDeep: false,
      mode: Number(mode),
      stamp: now - ctimeNs < YOUNG_NS ? null : `${dev}-${ino}-${ctimeNs}`,
    }
  } catch (error) {
    return { isTooDeep: isErrno(error, 'ENAMETOOLONG'), mode: null, stamp: null }
  }
}

function sortEntries(dir: string, entries: readonly Dirent[]): Omit<DirectoryInside, keyof Stamped> {
  const inside = {
    isEmpty: entries.length === 0,
    directories: [] as string[],
    special: [] as string[],
    hidden: [] as string[],
  }
  for (const entry of entries) {
    const isHidden = entry.name === '.git' && dir !== ''
    if (entry.isFile() && !isHidden) continue
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`
    if (isHidden) inside.hidden.push(path)
    if (isSpecial(entry)) inside.special.push(path)
    else if (entry.isDirectory() && !isNotTheirs(entry.name, path)) inside.directories.push(path)
  }
  return inside
}

const isNotTheirs = (name: string, path: string): boolean => name === '.git' || path === MARKER_DIR

const isSpecial = (entry: Dirent): boolean =>
  entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()
