// One look at all that a case has on the disk: which bytes lie in files, which of them in trees that people and agents
// write, and which git directories there are.

import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../plan/world.ts'
import type { CasePlace } from '../run/place.ts'
import { type Found, walk } from './walk.ts'

export interface Look {
  /** Ids that git would give to the bytes, of everything that counts as being there. */
  readonly present: Set<string>
  /** By the tree's path: from raw path to kind, mode and id. */
  readonly trees: ReadonlyMap<string, ReadonlyMap<string, Entry>>
  /** Directories that have a HEAD, raw. */
  readonly gitDirs: readonly Buffer[]
}

export interface Entry {
  readonly kind: 'file' | 'link' | 'directory' | 'other'
  readonly mode: number
  /** Of a file or link that is neither empty nor huge. */
  readonly id: string | null
  /** Which deed made it, as it says itself. */
  readonly deed: string
  readonly bytes: Buffer | null
}

/** Bytes. A file that is larger is not accounted for: `max_file_size`, and reading it takes too long. */
const HUGE = 40_000_000
/** Bytes. Smaller ones are remembered whole. */
const SMALL = 200_000

/** `data/repos/ID/sandboxes/ID/tree`, or a worktree's. */
const TREE = /^repos\/[^/]+\/(?:sandboxes|worktrees)\/[^/]+\/tree(?=\/|$)/
/** This is on its way out: `src/core/store/trash.ts`. Whatever has another name stays. */
const BEING_DELETED = /^repos\/[^/]+\/trash\/\d{14}-[0-9a-f]{4}-\d{14}-[0-9a-f]{4}$/

export type Looker = () => Look

export function makeLooker(place: CasePlace, { format, layout }: World): Looker {
  const known: Known = new Map()
  return () => {
    const seen: Seeing = { known, format, present: new Set(), trees: new Map(), gitDirs: [] }
    see(seen, place.dataDir, (path) => TREE.exec(path)?.[0] ?? null)
    see(seen, place.out, () => null)
    see(seen, join(place.dir, 'work'), (path) => {
      const [root = ''] = path.split('/')
      return layout === 'bare' || !path.includes('/') || root === 'separate' ? null : root
    })
    return seen
  }
}

interface Seeing extends Look {
  readonly known: Known
  readonly format: string
  readonly trees: Map<string, Map<string, Entry>>
  readonly gitDirs: Buffer[]
}

/** `treeOf` says in which tree a path lies, if in any. */
function see(seen: Seeing, root: string, treeOf: (path: string) => string | null): void {
  const visit = (found: Found): void => {
    if (/(^|\/)HEAD$/.test(found.path)) seen.gitDirs.push(found.full.subarray(0, -'/HEAD'.length))
    const entry = describe(found, seen.known, seen.format)
    if (entry.id !== null) seen.present.add(entry.id)
    const tree = treeOf(found.path)
    if (tree !== null && tree !== found.path && !isGits(found.path))
      noteEntry(seen.trees, tree, { found, entry })
  }
  walk(Buffer.from(root), visit, ({ path }) => !/(^|\/)objects$/.test(path) && !BEING_DELETED.test(path))
}

function noteEntry(
  trees: Map<string, Map<string, Entry>>,
  tree: string,
  { found, entry }: { readonly found: Found; readonly entry: Entry },
): void {
  const entries = trees.get(tree) ?? new Map<string, Entry>()
  entries.set(found.path.slice(tree.length + 1), entry)
  trees.set(tree, entries)
}

/** The directory, or in a linked worktree the file, that belongs to git. */
const isGits = (path: string): boolean => /(^|\/)\.git(\/|$)/.test(path)

type Known = Map<string, { id: string; deed: string; bytes: Buffer | null }>

function describe({ full, path, stat }: Found, known: Known, format: string): Entry {
  const mode = stat.mode & 0o7777
  const entry = { mode, id: null, deed: path.split('/').at(-1) ?? '', bytes: null }
  if (stat.isDirectory()) return { ...entry, kind: 'directory' }
  if (stat.isSymbolicLink()) {
    return { ...entry, kind: 'link', id: blobId(Buffer.from(readlinkSync(full, 'latin1'), 'latin1'), format) }
  }
  if (!stat.isFile()) return { ...entry, kind: 'other' }
  if (stat.size === 0 || stat.size > HUGE) return { ...entry, kind: 'file' }
  const key = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  const seen = known.get(key) ?? readWhole(full, format)
  if (seen === null) return { ...entry, kind: 'file' }
  known.set(key, seen)
  return { kind: 'file', mode, ...seen, deed: seen.deed || entry.deed }
}

function readWhole(full: Buffer, format: string): { id: string; deed: string; bytes: Buffer | null } | null {
  try {
    const bytes = readFileSync(full)
    const [, deed = ''] =
      /^(?:made by|.?m.?a.?d.?e.? .?b.?y) ([\w-]+)/s.exec(bytes.toString('latin1', 0, 200)) ?? []
    return { id: blobId(bytes, format), deed, bytes: bytes.length > SMALL ? null : bytes }
  } catch {
    return null
  }
}

const blobId = (bytes: Buffer, format: string): string =>
  createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
