// Cuts an index in two, so that two gits can write the files of one tree at the same time. Each git gets an index in
// which the other's half is already there, and writes what is missing. From what both then know about their files, one
// index is put together. Others may write to the tree of this index meanwhile. The format is that of
// gitformat-index(5). Pure.

import { createHash } from 'node:crypto'
import { hasPlainForm, type IndexEnding, readEnding } from './index-file.ts'

export interface Halves {
  /** Nothing has been staged since git last noted which tree the index makes. */
  readonly settled: boolean
  /** The index for the git that writes the first half, and the one for the second. */
  readonly indexes: readonly [Buffer, Buffer]
  /** Raw paths of directories in which both halves have files, outermost first. */
  readonly shared: readonly string[]
  /** Puts the whole index together from what the two gits have made. null if they have not made what they should. */
  join(first: Buffer, second: Buffer): Buffer | null
}

export interface HalvingOptions {
  /** In bytes. */
  readonly objectSize: number
  /**
   * A name at the top of the tree where something lies already. git would not overwrite it without an index that knows
   * it.
   */
  readonly occupied: string
}

/** Fewer entries are written before two more gits have even started. */
const WORTHWHILE = 1000

/** null if it is not worthwhile, if the index is not an ordinary one, and if it has files at `occupied`. */
export function halveIndex(index: Buffer, options: HalvingOptions): Halves | null {
  const { objectSize } = options
  const cuts = findCuts(index, options)
  if (cuts === null) return null
  const { count, before, middle, end, ending } = cuts
  const [first, second] = [index.subarray(HEADER, middle), index.subarray(middle, end)]
  const write = (entries: Buffer, many: number): Buffer => seal([header(index, many), entries], objectSize)
  return {
    settled: ending.tree !== null,
    indexes: [write(second, count - (count >> 1)), write(first, count >> 1)],
    shared: sharedDirectories(
      readEntryPath(index, before, objectSize),
      readEntryPath(index, middle, objectSize),
    ),
    join: (one, other) => {
      // Each git has left the other's half as it was, so its own half is still at the same place, too.
      const whole = holds(one, index, [middle, end]) && holds(other, index, [HEADER, middle])
      if (!whole) return null
      const entries = [one.subarray(0, middle), other.subarray(middle, end)]
      return seal([...entries, ending.noted], objectSize)
    },
  }
}

const HEADER = 12
/** Place of the object name. Before an entry's path come times, device, mode, owner, size, object name, flags. */
const OBJECT = 40
/** In the upper byte of the flags: assumed unchanged, extended, or a stage of a conflict. */
const NOT_PLAIN = 0xf0
const LONG = 0x0fff
const DOT = 0x2e
const SLASH = 0x2f

interface Cuts {
  readonly count: number
  /** Where the last entry of the first half begins. */
  readonly before: number
  readonly middle: number
  readonly end: number
  readonly ending: IndexEnding
}

function findCuts(index: Buffer, options: HalvingOptions): Cuts | null {
  if (!hasPlainForm(index) || leadsOut(index)) return null
  const count = index.readUInt32BE(8)
  if (count < WORTHWHILE) return null
  const [before, middle] = skipEntries(index, HEADER, { ...options, count: count >> 1 })
  const [, end] = skipEntries(index, middle, { ...options, count: count - (count >> 1) })
  const ending = readEnding(index, end, options.objectSize)
  return ending === null ? null : { count, before, middle, end, ending }
}

/**
 * git never makes such paths, but does not refuse them in an index that it reads. Those at the top are checked entry by
 * entry.
 */
const leadsOut = (index: Buffer): boolean => index.includes('/../') || index.includes('/.git/')

/**
 * Where the last of `count` entries begins, and where it ends; beyond the index if one entry is not plain. It reads
 * single bytes and makes no objects of them, because this runs once, uncompiled, while everybody waits.
 */
function skipEntries(
  index: Buffer,
  from: number,
  { objectSize, occupied, count }: HalvingOptions & { readonly count: number },
): [number, number] {
  let last = from
  let at = from
  for (let n = 0; n < count; n++) {
    last = at
    const path = at + OBJECT + objectSize + 2
    const high = index[path - 2] ?? NOT_PLAIN
    if ((high & NOT_PLAIN) !== 0) return BEYOND
    const first = index[path]
    if (first === SLASH || (first === DOT && isTaken(readEntryPath(index, at, objectSize), occupied)))
      return BEYOND
    const length = (high << 8) | (index[path - 1] ?? 0)
    const end = length === LONG ? endOfLong(index, path) : path + length
    at += (end - at + 8) & ~7
  }
  return [last, at]
}

const BEYOND: [number, number] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

const endOfLong = (index: Buffer, path: number): number => {
  const end = index.indexOf(0, path)
  return end < 0 ? index.length : end
}

function readEntryPath(index: Buffer, at: number, objectSize: number): string {
  const path = at + OBJECT + objectSize + 2
  return index.toString('latin1', path, index.indexOf(0, path))
}

const isTaken = (path: string, occupied: string): boolean =>
  ['..', '.git', occupied].includes(path.split('/', 1)[0] ?? '')

function header(index: Buffer, count: number): Buffer {
  const copy = Buffer.from(index.subarray(0, HEADER))
  copy.writeUInt32BE(count, 8)
  return copy
}

function sharedDirectories(path: string, next: string): string[] {
  const names = path.split('/').slice(0, -1)
  const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
  return paths.filter((directory) => next.startsWith(`${directory}/`))
}

/** Whether the other index has the same form and the same bytes at that place. */
const holds = (found: Buffer, index: Buffer, [from, to]: readonly [number, number]): boolean =>
  found.length >= to &&
  found.compare(index, 0, HEADER, 0, HEADER) === 0 &&
  found.compare(index, from, to, from, to) === 0

function seal(parts: readonly Buffer[], objectSize: number): Buffer {
  const hash = createHash(objectSize === 32 ? 'sha256' : 'sha1')
  for (const part of parts) hash.update(part)
  return Buffer.concat([...parts, hash.digest()])
}
