// How far the time of day was set back since a moment. Files that changed later may look older by that much.

/** The time of day, beside a clock that nobody sets. */
interface Moment {
  readonly at: number
  readonly elapsed: number
}

/** Each capture takes one; what is asked about is seldom older than the last few. */
const MOST_MOMENTS = 256

const moments = new Map<number, Moment>()

/** The time of day, in milliseconds since the epoch, remembered so that `setBackSince` can be asked of it. */
export function notedMoment(): number {
  const at = Date.now()
  moments.delete(at)
  moments.set(at, { at, elapsed: performance.now() })
  for (const oldest of [...moments.keys()].slice(0, -MOST_MOMENTS)) moments.delete(oldest)
  return at
}

/** Milliseconds. For a moment of another process, only as much as is seen by the moment lying in the future. */
export function setBackSince(at: number): number {
  const noted = moments.get(at)
  const expected = noted === undefined ? at : noted.at + performance.now() - noted.elapsed
  return Math.max(0, Math.ceil(expected - Date.now()))
}
