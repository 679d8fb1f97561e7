// git's machine-readable diff, as data. Paths stay raw (see raw-bytes.ts) until they are shown.

import type { ChangeKind, FileChange } from './change.ts'
import { rawFields, showRaw } from './raw-bytes.ts'

export interface RawChange {
  readonly kind: ChangeKind
  /** Raw. */
  readonly path: string
  /** Raw. */
  readonly from_path: string | null
  readonly old_mode: string
  readonly new_mode: string
  readonly old_object: string
  readonly new_object: string
}

export interface LineCount {
  readonly added: number | null
  readonly deleted: number | null
}

export interface RawDiff {
  readonly changes: readonly RawChange[]
  /** By raw path; for a rename, by the new path. Empty without --numstat. */
  readonly counts: ReadonlyMap<string, LineCount>
}

export const GITLINK_MODE = '160000'

const KINDS: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
}

/** Reads `git diff-tree -r --raw [--numstat] -z A B`. Throws on any other output. */
export function parseRawDiff(output: Buffer): RawDiff {
  const fields = rawFields(output)
  const changes: RawChange[] = []
  const counts = new Map<string, LineCount>()
  let at = 0
  const next = (): string => {
    const field = fields[at++]
    if (field === undefined) throw new Error('git diff-tree ended in the middle of an entry')
    return field
  }
  while (fields[at]?.startsWith(':') === true) changes.push(readChange(next))
  while (at < fields.length) readCount(next, counts)
  return { changes, counts }
}

/**
 * Reads `git diff-tree --stdin -r --raw -z` for pairs of trees. The result has the changes of each pair by `OLD NEW`.
 */
export function parseDiffs(output: Buffer): Map<string, RawChange[]> {
  const diffs = new Map<string, RawChange[]>()
  let changes: RawChange[] = []
  const text = output.toString('latin1')
  let at = 0
  const until = (end: string): string => {
    const to = text.indexOf(end, at)
    if (to < 0) throw new Error('git diff-tree ended in the middle of an entry')
    const field = text.slice(at, to)
    at = to + 1
    return field
  }
  while (at < text.length) {
    if (text[at] === ':') changes.push(readChange(() => until('\0')))
    else {
      changes = []
      diffs.set(until('\n'), changes)
    }
  }
  return diffs
}

function readChange(next: () => string): RawChange {
  const header = next()
  const [old_mode, new_mode, old_object, new_object, letter] = header.slice(1).split(' ')
  const kind = KINDS[letter?.[0] ?? '']
  if (!old_mode || !new_mode || !old_object || !new_object || kind === undefined) {
    throw new Error(`git diff-tree printed an entry that is not known: ${header}`)
  }
  const first = next()
  const moved = kind === 'renamed' || kind === 'copied'
  return {
    kind,
    path: moved ? next() : first,
    from_path: moved ? first : null,
    old_mode,
    new_mode,
    old_object,
    new_object,
  }
}

/**
 * Reads `added TAB deleted TAB path`. For a rename the path is empty, and two fields follow: the old one and the new
 * one.
 */
function readCount(next: () => string, counts: Map<string, LineCount>): void {
  const line = next()
  const first = line.indexOf('\t')
  const second = line.indexOf('\t', first + 1)
  if (first < 0 || second < 0) throw new Error(`git diff-tree printed a count that is not known: ${line}`)
  const inPlace = line.slice(second + 1)
  if (inPlace === '') next()
  counts.set(inPlace === '' ? next() : inPlace, {
    added: parseCount(line.slice(0, first)),
    deleted: parseCount(line.slice(first + 1, second)),
  })
}

const parseCount = (text: string): number | null => (text === '-' ? null : Number.parseInt(text, 10))

/** Raw paths whose content no commit of the sandbox has. */
export interface Uncommitted {
  /** Paths that differ between the sandbox's HEAD and its state. */
  readonly paths: ReadonlySet<string>
  /** Those of them that the sandbox's index does not name. */
  readonly untracked: ReadonlySet<string>
}

export const ALL_COMMITTED: Uncommitted = { paths: new Set(), untracked: new Set() }

export function toFileChanges(diff: RawDiff, { paths, untracked }: Uncommitted): FileChange[] {
  return diff.changes.map((change) => {
    const count = diff.counts.get(change.path) ?? { added: 0, deleted: 0 }
    return {
      kind: change.kind,
      path: showRaw(change.path),
      from_path: change.from_path === null ? null : showRaw(change.from_path),
      old_mode: change.old_mode,
      new_mode: change.new_mode,
      added: count.added,
      deleted: count.deleted,
      binary: count.added === null,
      uncommitted: paths.has(change.path) || (change.from_path !== null && paths.has(change.from_path)),
      untracked: untracked.has(change.path),
    }
  })
}
