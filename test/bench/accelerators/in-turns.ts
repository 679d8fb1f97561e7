// Does the same thing with an accelerator and without it, in turns.

import { type BenchRow, median } from '../bench.ts'

/** Does the thing once, and returns how many milliseconds it took. */
export type Way = () => Promise<number>

/** What an accelerator has to save: a tenth of what a person waits for, or as much of an echo as fingers feel. */
const LEAST_SHARE = 0.1
export const LEAST_OF_AN_ECHO_MS = 0.3

/**
 * Runs each way `rounds` times, after one run that is not counted. In every other round the last way is the first.
 * Returns milliseconds by way and round.
 */
export async function inTurns(rounds: number, ways: readonly Way[]): Promise<number[][]> {
  const times = ways.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    const order = [...ways.entries()]
    for (const [at, way] of round % 2 === 0 ? order : order.reverse()) {
      const time = await way()
      if (round >= 0) times[at]?.push(time)
    }
  }
  return times
}

export interface Bought {
  readonly accelerator: string
  readonly what: string
  /** Milliseconds of the same rounds as in `without`. */
  readonly with: readonly number[]
  readonly without: readonly number[]
  /** Saved milliseconds that are enough, however small a share they are. */
  readonly enough_ms?: number
}

/**
 * The row says how much a round saves: the median, and the range of the middle half. `met` is null if the limit is in
 * it.
 */
export function rowOf(bought: Bought): BenchRow {
  const { accelerator, what, enough_ms: enough = Number.POSITIVE_INFINITY } = bought
  const [ours, reference] = [median(bought.with), median(bought.without)]
  const saved = bought.without.map((time, round) => time - (bought.with[round] ?? Number.NaN))
  const [low = Number.NaN, high = Number.NaN] = [0.25, 0.75].map((share) => quantile(saved, share))
  const least = Math.min(LEAST_SHARE * reference, enough)
  const percent = Math.round((100 * median(saved)) / reference)
  return {
    what: `${accelerator}: ${what}`,
    ours,
    reference_name: 'without',
    reference,
    unit: 'ms',
    target: `saves ${show(median(saved))} ms, ${percent} %; half of ${saved.length} rounds: ${show(low)} to ${show(high)} ms`,
    met: low >= least ? true : high < least ? false : null,
  }
}

const show = (milliseconds: number): string => milliseconds.toFixed(Math.abs(milliseconds) < 10 ? 2 : 0)

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
}

/** Compares `asBuilt` with each of the others. */
export async function compareWays(
  what: string,
  rounds: number,
  ways: { readonly asBuilt: Way; readonly without: Readonly<Record<string, Way>> },
): Promise<BenchRow[]> {
  const [built = [], ...others] = await inTurns(rounds, [ways.asBuilt, ...Object.values(ways.without)])
  return Object.keys(ways.without).map((accelerator, at) =>
    rowOf({ accelerator, what, with: built, without: others[at] ?? [] }),
  )
}
