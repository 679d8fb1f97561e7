// Reads of git's index file what a quick look at a work tree needs: listing 100,000 entries through a pipe costs more
// than everything else that is asked of them. Source: gitformat-index(5). Pure.

const HEADER = 12
/** Before the path: times, device, mode, owner, size, object name (20 bytes or 32), flags. */
const KIND_AT = 26
const OBJECT_AT = 40
/** The upper half of the byte at KIND_AT. */
const DIRECTORY = 0x4
const NESTED = 0xe
const LENGTH = 0x0fff
const EXTENDED = 0x4000
/** Assumed unchanged, or a stage of a conflict. */
const NOT_PLAIN = 0xb000
/** Left out by a sparse checkout; in the second flags of an extended entry. */
const SKIPPED = 0x4000
/** Announced by `git add -N`; in the same place. */
const ANNOUNCED = 0x2000

export interface PlainIndex {
  /** Raw paths of the entries for nested repositories. */
  readonly nested: readonly string[]
  /** The object name of the tree that the index makes, where git has noted it and nothing was staged since. */
  readonly tree: string | null
  /** Some file is announced and not added: it is in no tree that the index makes. */
  readonly announced: boolean
}

/**
 * null where git would not look at each entry's file, or there is a conflict, or where the form is not understood here
 * (version 4, split and sparse indexes, damage). `objectSize` in bytes.
 */
export function readPlainIndex(index: Buffer, objectSize: number): PlainIndex | null {
  if (index.length < HEADER + objectSize || !hasPlainForm(index)) return null
  const nested: string[] = []
  let announced = false
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(index, at, objectSize)
    if (entry === null) return null
    announced ||= entry.announced
    if (entry.kind === NESTED) nested.push(index.toString('latin1', entry.path, entry.end))
    at += (entry.end - at + 8) & ~7
  }
  const ending = readEnding(index, at, objectSize)
  return ending === null ? null : { nested, tree: ending.tree, announced }
}

/** What its first bytes say. */
export function hasPlainForm(index: Buffer): boolean {
  if (index.length < HEADER || index.toString('latin1', 0, 4) !== 'DIRC') return false
  return [2, 3].includes(index.readUInt32BE(4))
}

interface IndexFileEntry {
  readonly kind: number
  readonly announced: boolean
  /** Where the path begins and where it has ended. */
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

/** Where the entries have ended. */
export interface IndexEnding {
  /** The extension TREE as it stands in the file; empty where there is none. */
  readonly noted: Buffer
  /** The object name of the tree that the index makes; null as in PlainIndex. */
  readonly tree: string | null
}

/** null where an extension is there that must be understood, and is not, and for what is no ending at all. */
export function readEnding(index: Buffer, from: number, objectSize: number): IndexEnding | null {
  const end = index.length - objectSize
  let ending: IndexEnding = { noted: Buffer.alloc(0), tree: null }
  let at = from
  while (at + 8 <= end) {
    const name = index.toString('latin1', at, at + 4)
    const next = at + 8 + index.readUInt32BE(at + 4)
    // Those in lower case: `link` for a split index, `sdir` for a sparse one.
    if (/^[a-z]/.test(name)) return null
    if (name === 'TREE') {
      const noted = index.subarray(at, next)
      ending = { noted, tree: readRoot(noted.subarray(8), objectSize) }
    }
    at = next
  }
  return at === end ? ending : null
}

/** `NUL count SP subtrees LF object`; the count is negative where the note is out of date. */
function readRoot(cache: Buffer, objectSize: number): string | null {
  const line = cache.indexOf(0x0a)
  const said = /^\0(\d+) \d+$/.exec(cache.toString('latin1', 0, Math.max(line, 0)))
  return said === null ? null : cache.toString('hex', line + 1, line + 1 + objectSize)
}
