// Decides how much of a sweep one run does. A sweep kills or fails a verb at each of its steps, or at many moments.
// `npm test` takes some of these, others each time, and `npm run test:sweeps` takes all. SWEEP_SEED repeats a run's
// choice.

import { seededRandom } from '../run/seeded.ts'

const STRIDE = 8

const WHOLE = process.env['SWEEPS'] === 'whole'

/** A test that fails must say this, so that it can be repeated. */
export const SWEEP_SEED = Number(process.env['SWEEP_SEED'])
export const AS_SWEPT = `SWEEP_SEED=${SWEEP_SEED}`

/** The numbers of steps (1 is the first), in order and without an end: all, or one of every few. */
export function* sweepSteps(): Generator<number, never> {
  const random = seededRandom(SWEEP_SEED)
  const stride = WHOLE ? 1 : STRIDE
  for (let first = 1; ; first += stride) yield first + Math.floor(random() * stride)
}

/** Those of `all` that this run takes, in their order: all, or one of every few. */
export function sweptOf<T>(all: readonly T[]): T[] {
  const taken: T[] = []
  for (const step of sweepSteps()) {
    const one = all[step - 1]
    if (step > all.length || one === undefined) return taken
    taken.push(one)
  }
  return taken
}

/** How many of `rounds` this run does. */
export const sweptRounds = (rounds: number): number => (WHOLE ? rounds : Math.ceil(rounds / STRIDE))
