// Makes trees as git stores them from a list of paths. Their object names can be computed without git, so one process
// can write all of them. Pure.

import { createHash } from 'node:crypto'
import { GITLINK_MODE } from './raw-diff.ts'

export interface PathEntry {
  /** Mode of a file, a link or a nested repository. */
  readonly mode: string
  readonly object: string
  /** Raw. */
  readonly path: string
}

export interface TreeEntry {
  readonly mode: string
  readonly object: string
  /** Raw, without a slash. */
  readonly name: string
}

export interface NamedTree {
  readonly object: string
  /** In git's order. */
  readonly entries: readonly TreeEntry[]
}

const TREE_MODE = '040000'

/** Each tree comes after those that it names, so the root is last. `objectSize` is in bytes. */
export function nestTrees(paths: readonly PathEntry[], objectSize: number): NamedTree[] {
  const made: NamedTree[] = []
  const nest = (inside: readonly PathEntry[]): string => {
    const entries = [
      ...inside.filter(({ path }) => !path.includes('/')).map(toFile),
      ...[...byDirectory(inside)].map(([name, below]) => ({ mode: TREE_MODE, object: nest(below), name })),
    ].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    const object = nameTree(entries, objectSize)
    made.push({ object, entries })
    return object
  }
  nest(paths)
  return made
}

const toFile = ({ mode, object, path }: PathEntry): TreeEntry => ({ mode, object, name: path })

function byDirectory(paths: readonly PathEntry[]): Map<string, PathEntry[]> {
  const directories = new Map<string, PathEntry[]>()
  for (const entry of paths) {
    const slash = entry.path.indexOf('/')
    if (slash < 0) continue
    const name = entry.path.slice(0, slash)
    const below = directories.get(name) ?? []
    below.push({ ...entry, path: entry.path.slice(slash + 1) })
    directories.set(name, below)
  }
  return directories
}

/** One character is one byte, so comparing text compares bytes. */
const sortKey = ({ mode, name }: TreeEntry): string => (mode === TREE_MODE ? `${name}/` : name)

function nameTree(entries: readonly TreeEntry[], objectSize: number): string {
  const body = Buffer.concat(
    entries.flatMap(({ mode, object, name }) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(object, 'hex'),
    ]),
  )
  return createHash(objectSize === 32 ? 'sha256' : 'sha1')
    .update(`tree ${body.length}\0`)
    .update(body)
    .digest('hex')
}

/** The input of `git mktree -z --batch` for these trees; see git-mktree(1). */
export const formatTrees = (trees: readonly NamedTree[]): Buffer =>
  Buffer.from(trees.map(({ entries }) => `${entries.map(formatEntry).join('')}\0`).join(''), 'latin1')

const formatEntry = ({ mode, object, name }: TreeEntry): string =>
  `${mode} ${typeOf(mode)} ${object}\t${name}\0`

function typeOf(mode: string): 'tree' | 'commit' | 'blob' {
  if (mode === TREE_MODE) return 'tree'
  return mode === GITLINK_MODE ? 'commit' : 'blob'
}
