// Where a text may be cut and where a cursor may stand: between grapheme clusters. Intl.Segmenter copies its whole text
// for each segment, so that 50,000 characters exhaust the memory and a megabyte takes minutes. So it is only given a
// few characters at a time, between two seams: places where a cluster certainly ends.

let segmenter: Intl.Segmenter | undefined

export function splitClusters(text: string): string[] {
  const clusters: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = nextSeam(text, start)
    if (end === start + 1) clusters.push(text.charAt(start))
    else for (const cluster of segment(text.slice(start, end))) clusters.push(cluster)
    start = end
  }
  return clusters
}

/** The next place after `at` where a cursor may stand. */
export function nextBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  return boundariesAround(text, at).find((boundary) => boundary > at) ?? text.length
}

export function previousBoundary(text: string, at: number): number {
  if (at <= 0) return 0
  return boundariesAround(text, at - 1).findLast((boundary) => boundary < at) ?? 0
}

/** `at`, or the end of the cluster that `at` lies in: where two texts meet, their ends may join into one cluster. */
export function snapToBoundary(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  return boundariesAround(text, at).find((boundary) => boundary >= at) ?? text.length
}

/** Boundaries between the two seams around the code unit at `at`, both ends included. */
function boundariesAround(text: string, at: number): number[] {
  const start = seamBefore(text, at)
  const boundaries = [start]
  for (const cluster of segment(text.slice(start, nextSeam(text, start)))) {
    boundaries.push((boundaries.at(-1) ?? 0) + cluster.length)
  }
  return boundaries
}

const segment = (text: string): string[] => {
  if (text.length === 1) return [text]
  segmenter ??= new Intl.Segmenter()
  return [...segmenter.segment(text)].map((found) => found.segment)
}

/** If a text has no seam for so long, one is assumed: no person wrote such a text. */
const FARTHEST = 256

function nextSeam(text: string, start: number): number {
  const limit = Math.min(text.length, start + FARTHEST)
  for (let at = start + 1; at < limit; at += 1) if (isSeam(text, at)) return at
  return limit
}

/** The last seam at or before `at`. Assumed seams are counted from the last real one. */
function seamBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && !isSeam(text, start)) start -= 1
  return at - ((at - start) % FARTHEST)
}

function isSeam(text: string, at: number): boolean {
  const behind = kindAt(text, at)
  if (behind === OTHER) return false
  return kindAt(text, at - 1) !== OTHER || (behind === ASCII && !mayJoinNext(text, at - 1))
}

/** By code unit. */
const OTHER = 0
const ASCII = 1
/** A character that never joins another of its kind, or of ASCII: Latin, Greek, Cyrillic, Chinese, Japanese, Korean. */
const ALONE = 2
const kinds = new Uint8Array(0x10000)
kinds.fill(ASCII, 0x20, 0x7f)
kinds.fill(ALONE, 0xc0, 0x250)
kinds.fill(ALONE, 0x370, 0x483)
kinds.fill(ALONE, 0x48a, 0x530)
kinds.fill(ALONE, 0x3000, 0x302a)
kinds.fill(ALONE, 0x3041, 0x3097)
kinds.fill(ALONE, 0x309d, 0x3100)
kinds.fill(ALONE, 0x3400, 0x4dc0)
kinds.fill(ALONE, 0x4e00, 0xa000)
kinds.fill(ALONE, 0xac00, 0xd7a4)
kinds.fill(ALONE, 0xff01, 0xff61)

const kindAt = (text: string, at: number): number => kinds[text.charCodeAt(at)] ?? OTHER

/** Some signs of Arabic and Indic scripts join the next character, whatever it is. */
function mayJoinNext(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0xdc00 || code > 0xdfff)
    return /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e]/.test(text.charAt(at))
  const high = text.charCodeAt(at - 1)
  return high >= 0xd804 && high <= 0xd807
}
