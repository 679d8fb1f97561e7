// Reads from git's index file what a quick look at a work tree needs: listing 100,000 entries through a pipe costs more
// than everything else. The format is described in gitformat-index(5). Pure.

const HEADER = 12
/**
 * Place of the mode in an entry. An entry is times, device, mode, owner, size, object name (20 or 32 bytes), flags,
 * path.
 */
const KIND_AT = 26
const OBJECT_AT = 40
/** Kinds of entries, in the upper half of the byte at KIND_AT. */
const DIRECTORY = 0x4
const NESTED = 0xe
const LENGTH = 0x0fff
const EXTENDED = 0x4000
/** Flags: assumed unchanged, or a stage of a conflict. */
const NOT_PLAIN = 0xb000
/** A sparse checkout leaves it out. In the second flags of an extended entry. */
const SKIPPED = 0x4000
/** Announced by `git add -N`. In the second flags, too. */
const ANNOUNCED = 0x2000

export interface PlainIndex {
  /** Raw paths at which the index names a nested repository. */
  readonly nested: readonly string[]
  /** The tree that the index makes, if git has noted it and nothing was staged since. */
  readonly tree: string | null
  /** A file is announced but not added, so no tree of the index has it. */
  readonly announced: boolean
  /**
   * Raw paths of files that have been written, or had their mode changed, since a time: all where that is null, none
   * where none is given.
   */
  readonly touched: readonly string[]
  /** Files that were last changed before that time, but not long before: see `LookSince`. */
  readonly close: readonly CloseFile[]
}

export interface CloseFile extends ChangeTime {
  /** Raw. */
  readonly path: string
}

/** By the file system's clock. Unlike the time of the last writing, nobody can set it. */
export interface ChangeTime {
  readonly seconds: number
  readonly nanoseconds: number
}

export interface LookSince extends ChangeTime {
  /**
   * Files that were changed before, but have a time of this second or a later one, are close too. Without it, only
   * those that were changed in the same second: git would not notice a later change of it.
   */
  readonly close_from?: number
}

/**
 * null where git would not look at every entry's file, where there is a conflict, and for a form that is not understood
 * here (version 4, split and sparse indexes, damage). `objectSize` is in bytes.
 */
export function readPlainIndex(
  index: Buffer,
  objectSize: number,
  since?: LookSince | null,
): PlainIndex | null {
  if (index.length < HEADER + objectSize || !hasPlainForm(index)) return null
  const nested: string[] = []
  const touched: string[] = []
  const close: CloseFile[] = []
  let announced = false
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(index, at, objectSize)
    if (entry === null) return null
    announced ||= entry.announced
    if (entry.kind === NESTED) nested.push(index.toString('latin1', entry.path, entry.end))
    else if (since !== undefined && isRecent(index, at, since))
      noteRecent({ touched, close }, timedFile(index, at, entry), since)
    at += (entry.end - at + 8) & ~7
  }
  const ending = readEnding(index, at, objectSize)
  return ending === null ? null : { nested, tree: ending.tree, announced, touched, close }
}

function noteRecent(
  { touched, close }: { readonly touched: string[]; readonly close: CloseFile[] },
  file: CloseFile,
  since: LookSince | null,
): void {
  if (since !== null && isBefore(file, since)) close.push(file)
  else touched.push(file.path)
}

const isBefore = (one: ChangeTime, other: ChangeTime): boolean =>
  one.seconds < other.seconds || (one.seconds === other.seconds && one.nanoseconds < other.nanoseconds)

const timedFile = (index: Buffer, at: number, { path, end }: IndexFileEntry): CloseFile => ({
  path: index.toString('latin1', path, end),
  seconds: index.readUInt32BE(at),
  nanoseconds: index.readUInt32BE(at + 4),
})

/** An entry begins with the change time and the time of the last writing, of eight bytes each. */
function isRecent(index: Buffer, at: number, since: LookSince | null): boolean {
  if (since === null || index.readUInt32BE(at) >= since.seconds) return true
  const from = since.close_from
  return from !== undefined && Math.max(index.readUInt32BE(at), index.readUInt32BE(at + 8)) >= from
}

/** Whether the first bytes are those of an index that is understood here. */
export function hasPlainForm(index: Buffer): boolean {
  if (index.length < HEADER || index.toString('latin1', 0, 4) !== 'DIRC') return false
  return [2, 3].includes(index.readUInt32BE(4))
}

interface IndexFileEntry {
  readonly kind: number
  readonly announced: boolean
  /** Where the path begins, and the place behind its last byte. */
  readonly path: number
  readonly end: number
}

function readEntry(index: Buffer, at: number, objectSize: number): IndexFileEntry | null {
  const flagsAt = at + OBJECT_AT + objectSize
  if (flagsAt + 4 > index.length) return null
  const flags = index.readUInt16BE(flagsAt)
  const kind = index.readUInt8(at + KIND_AT) >> 4
  const extended = (flags & EXTENDED) !== 0
  const more = extended ? index.readUInt16BE(flagsAt + 2) : 0
  const skipped = (more & SKIPPED) !== 0
  if ((flags & NOT_PLAIN) !== 0 || skipped || kind === DIRECTORY) return null
  const path = flagsAt + (extended ? 4 : 2)
  const length = flags & LENGTH
  const end = length === LENGTH ? index.indexOf(0, path) : path + length
  return end < path || end >= index.length ? null : { kind, announced: (more & ANNOUNCED) !== 0, path, end }
}

/** What follows the entries. */
export interface IndexEnding {
  /** The extension TREE as it is in the file; empty if there is none. */
  readonly noted: Buffer
  /** The tree that the index makes; null as in PlainIndex. */
  readonly tree: string | null
}

/** null for an extension that must be understood and is not, and for bytes that are no ending. */
export function readEnding(index: Buffer, from: number, objectSize: number): IndexEnding | null {
  const end = index.length - objectSize
  let ending: IndexEnding = { noted: Buffer.alloc(0), tree: null }
  let at = from
  while (at + 8 <= end) {
    const name = index.toString('latin1', at, at + 4)
    const next = at + 8 + index.readUInt32BE(at + 4)
    // Lower case means that it must be understood: `link` for a split index, `sdir` for a sparse one.
    if (/^[a-z]/.test(name)) return null
    if (name === 'TREE') {
      const noted = index.subarray(at, next)
      ending = { noted, tree: readRoot(noted.subarray(8), objectSize) }
    }
    at = next
  }
  return at === end ? ending : null
}

/** Reads `NUL count SP subtrees LF object`. A negative count means that the note is out of date. */
function readRoot(cache: Buffer, objectSize: number): string | null {
  const line = cache.indexOf(0x0a)
  const said = /^\0(\d+) \d+$/.exec(cache.toString('latin1', 0, Math.max(line, 0)))
  return said === null ? null : cache.toString('hex', line + 1, line + 1 + objectSize)
}
