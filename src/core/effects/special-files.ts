// Pipes, sockets and devices in a tree: git passes over them without a word. The walk gives way to other work every
// few milliseconds, because a tree may hold 100,000 files and the dashboard draws in the same process.

import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as giveWay } from 'node:timers/promises'
import { MARKER_DIR } from '../store/paths.ts'

/** Milliseconds of walking at a stretch. */
const STRETCH = 5

/** Paths from the tree's root. `skip`: directories to leave out, the same way, without a slash at the end. */
export async function findSpecialFiles(tree: string, skip: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = []
  const waiting = ['']
  let since = performance.now()
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    const inside = readDirectory(tree, dir)
    waiting.push(...inside.directories.filter((path) => !skip.has(path)))
    found.push(...inside.special)
    if (performance.now() - since > STRETCH) {
      await giveWay()
      since = performance.now()
    }
  }
  return found.sort()
}

interface Inside {
  readonly directories: string[]
  readonly special: string[]
}

/** A directory that vanished or is closed to us holds nothing here; git names the closed ones. */
function readDirectory(tree: string, dir: string): Inside {
  const inside: Inside = { directories: [], special: [] }
  for (const entry of listEntries(join(tree, dir))) {
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

function listEntries(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
