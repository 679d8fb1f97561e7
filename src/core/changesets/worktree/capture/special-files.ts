// Finds pipes, sockets and devices in a tree, which git passes over without a word. A tree may hold 100,000 files, and
// the dashboard draws in the same process, so the walk gives way to other work every few milliseconds. A directory
// whose entries have not changed is not read again, because checkpoints walk the same tree all day.

import { type Dirent, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as giveWay } from 'node:timers/promises'
import { listDirents } from '../../../doors/system/files.ts'
import { MARKER_DIR } from '../../../model/markers.ts'

/** Milliseconds of walking at a stretch. */
const STRETCH = 5

/** How many trees' directories are remembered. The one that was used longest ago goes first. */
const MOST_TREES = 4
/**
 * Two changes within one tick of a file system's clock leave the same time, so a directory as young as this is read
 * again.
 */
const YOUNG_NS = 2_000_000_000n

const rememberedTrees = new Map<string, Map<string, DirectoryInside>>()

/** Paths from the tree's root. `skip` names directories to leave out in the same form, without a slash at the end. */
export async function findSpecialFiles(tree: string, skip: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = []
  const before = rememberedTrees.get(tree)
  const now = new Map<string, DirectoryInside>()
  const waiting = ['']
  let since = performance.now()
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    const inside = readDirectory(tree, dir, before?.get(dir))
    if (inside.stamp !== null) now.set(dir, inside)
    waiting.push(...inside.directories.filter((path) => !skip.has(path)))
    found.push(...inside.special)
    if (performance.now() - since > STRETCH) {
      await giveWay()
      since = performance.now()
    }
  }
  rememberTree(tree, now)
  return found.sort()
}

function rememberTree(tree: string, directories: Map<string, DirectoryInside>): void {
  rememberedTrees.delete(tree)
  rememberedTrees.set(tree, directories)
  for (const oldest of [...rememberedTrees.keys()].slice(0, -MOST_TREES)) rememberedTrees.delete(oldest)
}

interface DirectoryInside {
  /**
   * Which directory it was, and when its entries last changed: a time that nobody can set back. null: too young to be
   * sure.
   */
  readonly stamp: string | null
  readonly directories: string[]
  readonly special: string[]
}

/** A directory that vanished or cannot be read holds nothing for us; git itself names those that it cannot read. */
function readDirectory(tree: string, dir: string, before: DirectoryInside | undefined): DirectoryInside {
  const path = join(tree, dir)
  const stamp = stampDirectory(path)
  if (stamp !== null && before?.stamp === stamp) return before
  return { stamp, ...sortEntries(dir, listDirents(path)) }
}

function stampDirectory(path: string): string | null {
  const now = BigInt(Date.now()) * 1_000_000n
  try {
    const { dev, ino, ctimeNs } = statSync(path, { bigint: true })
    return now - ctimeNs < YOUNG_NS ? null : `${dev}-${ino}-${ctimeNs}`
  } catch {
    return null
  }
}

function sortEntries(dir: string, entries: readonly Dirent[]): Omit<DirectoryInside, 'stamp'> {
  const inside = { directories: [] as string[], special: [] as string[] }
  for (const entry of entries) {
    if (entry.isFile()) continue
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`
    if (isSpecial(entry)) inside.special.push(path)
    else if (entry.isDirectory() && !isNotTheirs(entry.name, path)) inside.directories.push(path)
  }
  return inside
}

const isNotTheirs = (name: string, path: string): boolean => name === '.git' || path === MARKER_DIR

const isSpecial = (entry: Dirent): boolean =>
  entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()
