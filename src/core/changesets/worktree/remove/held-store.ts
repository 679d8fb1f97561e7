// An agent may have moved parts of the shared repository into its own sandbox and left links in their place: objects,
// refs, another object store. Deleting that sandbox would delete them too, and with them the history of the whole
// repository.

import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { readTextIfRegular } from '../../../doors/system/files.ts'
import { isWithin, notOurs } from '../../../model/path-safety.ts'

/** Throws E_PATH_NOT_OURS where a part of the repository lies in `tree`. */
export function refuseHeld(commonDir: string, tree: string): void {
  const held = [commonDir, ...linksOf(commonDir), ...alternatesOf(join(commonDir, 'objects'))]
  const inside = held.find((path) => leadsInto(path, tree))
  if (inside !== undefined) throw notOurs(tree, `a part of the repository lies in it: ${inside}`)
}

function leadsInto(path: string, tree: string): boolean {
  try {
    return isWithin(realpathSync(path), tree)
  } catch {
    return false
  }
}

/** The links at the top of the common directory, and at any depth among its objects and refs. */
const linksOf = (commonDir: string): string[] => [
  ...links(commonDir, entriesOf(commonDir)),
  ...linksBelow(join(commonDir, 'objects')),
  ...linksBelow(join(commonDir, 'refs')),
]

function linksBelow(dir: string): string[] {
  const entries = entriesOf(dir)
  const directories = entries.filter((entry) => entry.isDirectory())
  return [...links(dir, entries), ...directories.flatMap(({ name }) => linksBelow(join(dir, name)))]
}

const links = (dir: string, entries: readonly Dirent[]): string[] =>
  entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(dir, name))

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch {
    return []
  }
}

/** git follows no more than this many. */
const DEEPEST = 5

/** Other object stores that this one reads from, and the stores that those read from. */
function alternatesOf(objects: string, depth = 0): string[] {
  if (depth > DEEPEST) return []
  const named = (readTextIfRegular(join(objects, 'info', 'alternates')) ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => unquoteLine(line))
    .map((line) => (isAbsolute(line) ? line : join(objects, line)))
  return named.flatMap((path) => [path, ...linksBelow(path), ...alternatesOf(path, depth + 1)])
}

/** A path that git put into quotes. */
const unquoteLine = (line: string): string =>
  line.startsWith('"') ? line.slice(1, -1).replace(/\\(.)/g, '$1') : line
