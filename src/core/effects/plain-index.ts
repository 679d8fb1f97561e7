// git's index file, read by ourselves: listing 100,000 entries through a pipe costs more than everything else that is
// asked of the index. Only the plain kind is understood; of any other one git is asked.

const HEADER = 12
const MODE = 24
const FLAGS = 60
const NAME = 62
const CHECKSUM = 20
const ASSUME_UNCHANGED = 0x8000
const EXTENDED = 0x4000
const NAME_LENGTH = 0x0fff
const SKIPPED = 0x4000

/**
 * Raw paths of the entries for nested repositories, usually none. null where the index is not plain: of version 4,
 * split, sparse, of SHA-256, with entries that are flagged (assumed unchanged, skipped), or damaged.
 */
export function readPlainIndex(index: Buffer): string[] | null {
  if (index.length < HEADER + CHECKSUM || index.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = index.readUInt32BE(4)
  if (version !== 2 && version !== 3) return null
  const links: string[] = []
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + NAME >= index.length) return null
    const entry = readEntry(index, at)
    if (entry === null) return null
    if (entry.link) links.push(index.toString('latin1', entry.name, entry.end))
    at += (entry.end - at + 8) & ~7
  }
  return hasPlainExtensions(index, at) ? links : null
}

interface Entry {
  readonly link: boolean
  /** Offsets of the name's first byte and of the one behind it. */
  readonly name: number
  readonly end: number
}

/** null where it is no ordinary entry. */
function readEntry(index: Buffer, at: number): Entry | null {
  const type = index.readUInt32BE(at + MODE) & 0xf000
  const flags = index.readUInt16BE(at + FLAGS)
  const extended = (flags & EXTENDED) !== 0
  const skipped = extended && (index.readUInt16BE(at + NAME) & SKIPPED) !== 0
  if ((flags & ASSUME_UNCHANGED) !== 0 || skipped || type === 0x4000) return null
  const name = at + NAME + (extended ? 2 : 0)
  const length = flags & NAME_LENGTH
  const end = length === NAME_LENGTH ? index.indexOf(0, name) : name + length
  return end < 0 || end >= index.length ? null : { link: type === 0xe000, name, end }
}

/** `link`: the rest is in another file. `sdir`: entries stand for whole directories. */
function hasPlainExtensions(index: Buffer, from: number): boolean {
  let at = from
  while (at + 8 <= index.length - CHECKSUM) {
    const name = index.toString('latin1', at, at + 4)
    if (name === 'link' || name === 'sdir') return false
    at += 8 + index.readUInt32BE(at + 4)
  }
  return at === index.length - CHECKSUM
}
