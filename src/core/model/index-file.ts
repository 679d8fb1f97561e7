// Reads of git's index file the two things that a quick look at a work tree needs. Source: gitformat-index(5). Pure.

const HEADER = 12
/** Before the path: times, device, mode, owner, size, object name (20 bytes or 32), flags. */
const KIND_AT = 26
const OBJECT_AT = 40
/** The upper half of the byte at KIND_AT. */
const FILE = 0x8
const LINK = 0xa
/** Assumed unchanged, extended (left out by a sparse checkout, or merely intended), stage of a conflict. */
const ANY_FLAG = 0xf000
const LENGTH = 0x0fff

/**
 * The index says exactly what the tree says, and of every entry that git is to look at it: no flag that hides an edit, no
 * conflict, no nested repository. False also for what is not understood here (version 4, split indexes).
 */
export function isPlainIndexOf(index: Buffer, tree: string): boolean {
  const version =
    index.length > HEADER && index.toString('latin1', 0, 4) === 'DIRC' ? index.readUInt32BE(4) : 0
  if (version !== 2 && version !== 3) return false
  const end = skipPlainEntries(index, tree.length / 2)
  return end !== null && readRootTree(index, end, tree.length / 2) === tree
}

/** Where the extensions begin; null at the first entry that is not plain. */
function skipPlainEntries(index: Buffer, objectSize: number): number | null {
  const flagsAt = OBJECT_AT + objectSize
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + flagsAt + 2 > index.length) return null
    const flags = index.readUInt16BE(at + flagsAt)
    const kind = index.readUInt8(at + KIND_AT) >> 4
    if ((flags & ANY_FLAG) !== 0 || (kind !== FILE && kind !== LINK)) return null
    const named = flags & LENGTH
    const path = at + flagsAt + 2
    const length = named === LENGTH ? index.indexOf(0, path) - path : named
    at += (flagsAt + 2 + length + 8) & ~7
  }
  return at
}

/** The whole tree's object name, where git has noted it and nothing was staged since. */
function readRootTree(index: Buffer, from: number, objectSize: number): string | null {
  for (let at = from; at + 8 + objectSize <= index.length; ) {
    const name = index.toString('latin1', at, at + 4)
    const size = index.readUInt32BE(at + 4)
    if (name === 'TREE') return readFirst(index.subarray(at + 8, at + 8 + size), objectSize)
    // Extensions in lower case must be understood, and this is not: `link` for a split index, `sdir` for a sparse one.
    if (/^[a-z]/.test(name)) return null
    at += 8 + size
  }
  return null
}

/** `NUL count SP subtrees LF object`; the count is negative where the note is out of date. */
function readFirst(cache: Buffer, objectSize: number): string | null {
  const line = cache.indexOf(0x0a)
  const said = /^\0(\d+) \d+$/.exec(cache.toString('latin1', 0, line))
  return line < 0 || said === null ? null : cache.toString('hex', line + 1, line + 1 + objectSize)
}
