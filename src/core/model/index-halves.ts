// An index cut in two, so that two gits can write the files of one tree at the same time. Each is given an index in
// which the other's half is there already, and writes what is missing; of what both then know about the files they
// wrote, one index is put together. Source: gitformat-index(5). Pure.

import { createHash } from 'node:crypto'
import { HEADER, OBJECT_AT, readEntry, readPlainIndex } from './index-file.ts'

export interface Halves {
  /** For the one that writes the first half, and for the one that writes the second. */
  readonly indexes: readonly [Buffer, Buffer]
  /** Raw paths of the directories that both halves have files in, outermost first. */
  readonly shared: readonly string[]
  /** The whole index, of what the two have become. null where they have not become what they should. */
  join(first: Buffer, second: Buffer): Buffer | null
}

export interface HalvingOptions {
  /** In bytes. */
  readonly objectSize: number
  /** Where something lies in the work tree already, which git would not overwrite without an index that knows it. */
  readonly occupied: string
}

/** Fewer are written before two more gits have begun. */
const WORTHWHILE = 1000

/** null where it is not worthwhile, where the index is not an ordinary one, and where it has files at `occupied`. */
export function halveIndex(index: Buffer, options: HalvingOptions): Halves | null {
  const { objectSize } = options
  if (readPlainIndex(index, objectSize) === null) return null
  const places = findEntries(index, options)
  if (places.length <= WORTHWHILE) return null
  const middle = places.length >> 1
  const [first, second] = [places.slice(0, middle + 1), places.slice(middle)]
  return {
    indexes: [takePart(index, second, objectSize), takePart(index, first, objectSize)],
    shared: sharedDirectories(...first.slice(-2).map((place) => readPath(index, place, objectSize))),
    join: (one, other) => {
      const joined = Buffer.from(index)
      const whole = takeFacts(joined, one, first) && takeFacts(joined, other, second)
      return whole ? seal(joined.subarray(0, -objectSize), objectSize) : null
    },
  }
}

/** Where each entry begins, and where the last one ends. None where one is at `occupied`. */
function findEntries(index: Buffer, { objectSize, occupied }: HalvingOptions): number[] {
  const places = [HEADER]
  for (let at = HEADER, left = index.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(index, at, objectSize)
    if (entry === null || isWithin(index.toString('latin1', entry.path, entry.end), occupied)) return []
    at = entry.next
    places.push(at)
  }
  return places
}

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

/** An index of these entries alone. */
function takePart(index: Buffer, places: readonly number[], objectSize: number): Buffer {
  const header = Buffer.from(index.subarray(0, HEADER))
  header.writeUInt32BE(places.length - 1, 8)
  return seal(Buffer.concat([header, index.subarray(places[0], places.at(-1))]), objectSize)
}

const readPath = (index: Buffer, place: number, objectSize: number): string => {
  const entry = readEntry(index, place, objectSize)
  return entry === null ? '' : index.toString('latin1', entry.path, entry.end)
}

function sharedDirectories(path = '', next = ''): string[] {
  const names = path.split('/').slice(0, -1)
  const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
  return paths.filter((directory) => next.startsWith(`${directory}/`))
}

/** What `from` knows of these files. False where it holds others. */
function takeFacts(index: Buffer, from: Buffer, places: readonly number[]): boolean {
  let [at = 0] = places
  for (const next of places.slice(1)) {
    const names = at + OBJECT_AT
    if (next > from.length || index.compare(from, names, next, names, next) !== 0) return false
    from.copy(index, at, at, names)
    at = next
  }
  return true
}

function seal(content: Buffer, objectSize: number): Buffer {
  const algorithm = objectSize === 32 ? 'sha256' : 'sha1'
  return Buffer.concat([content, createHash(algorithm).update(content).digest()])
}
