// How many matches each block of a log has, in order, with how many there are before it: `3/17` must cost nothing where
// there are a million.

export interface LogHit {
  readonly seq: number
  readonly count: number
  /** Matches in the blocks before it. */
  readonly before: number
}

export const totalHits = (hits: readonly LogHit[]): number => {
  const last = hits.at(-1)
  return last === undefined ? 0 : last.before + last.count
}

/** Index of the first whose block is not before `seq`; behind the last where there is none. */
export function findHit(hits: readonly LogHit[], seq: number): number {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle]?.seq ?? seq) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** Changes the list: the block has this many matches now. */
export function setHit(hits: LogHit[], seq: number, count: number): void {
  const at = findHit(hits, seq)
  const old = hits[at]?.seq === seq ? hits[at] : null
  if ((old?.count ?? 0) === count) return
  hits.splice(at, old === null ? 0 : 1, ...(count === 0 ? [] : [{ seq, count, before: 0 }]))
  renumber(hits, at)
}

/** Without the blocks before `seq`. */
export function hitsFrom(hits: readonly LogHit[], seq: number): LogHit[] {
  const kept = hits.slice(findHit(hits, seq))
  if (kept.length < hits.length) renumber(kept, 0)
  return kept
}

function renumber(hits: LogHit[], from: number): void {
  for (let at = from; at < hits.length; at += 1) {
    const hit = hits[at]
    const last = hits[at - 1]
    if (hit !== undefined) hits[at] = { ...hit, before: last === undefined ? 0 : last.before + last.count }
  }
}
