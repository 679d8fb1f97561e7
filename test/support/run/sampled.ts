// Long tables of cases: `npm test` tries one of every few, others each time, and `SAMPLES=whole npm test` tries all.
// SWEEP_SEED repeats a run's choice.

import type { TestAPI } from 'vitest'
import { seededRandom } from './seeded.ts'

const STRIDE = 8

/** Whether this run does all, also what takes long. */
export const WHOLE = process.env['SAMPLES'] === 'whole'

/** Those of `all` that this run takes, in their order: at least one. */
export function sampledOf<T>(all: readonly T[]): T[] {
  if (WHOLE) return [...all]
  const first = Math.floor(seededRandom(Number(process.env['SWEEP_SEED']))() * Math.min(STRIDE, all.length))
  return all.filter((_, index) => index % STRIDE === first)
}

/** `test.each` and `it.each` of a sample of the table's rows. */
export function sample(api: Pick<TestAPI, 'each'>): Pick<TestAPI, 'each'> {
  return { each: ((table: readonly unknown[]) => api.each(sampledOf(table))) as TestAPI['each'] }
}
