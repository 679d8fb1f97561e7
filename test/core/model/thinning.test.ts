import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Checkpoint } from '../../../src/core/model/checkpoint.ts'
import { CHECKPOINT_DEFAULTS } from '../../../src/core/model/checkpoint-settings.ts'
import { planThinning } from '../../../src/core/model/thinning.ts'
import { checkpointRecord } from '../../support/records/records.ts'

const START = Date.UTC(2026, 0, 28)
const MINUTE = 60_000
const minutesOn = (minutes: number): Date => new Date(START + minutes * MINUTE)

const list = (minutes: readonly number[], named: readonly number[] = []): Checkpoint[] =>
  minutes.map((at, index) =>
    checkpointRecord({
      id: index + 1,
      created_at: minutesOn(at).toISOString(),
      name: named.includes(index) ? 'mine' : null,
    }),
  )

const left = (checkpoints: readonly Checkpoint[], at: number): Checkpoint[] => {
  const gone = new Set(planThinning(checkpoints, minutesOn(at), CHECKPOINT_DEFAULTS))
  return checkpoints.filter((checkpoint) => !gone.has(checkpoint))
}

const ids = (checkpoints: readonly Checkpoint[]): number[] => checkpoints.map(({ id }) => id)

const history = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 60 }),
    fc.array(fc.nat(59), { maxLength: 3 }),
  )
  .map(([minutes, named]) =>
    list(
      minutes.toSorted((a, b) => a - b),
      named,
    ),
  )

test('nothing goes in the first hour', () => {
  const checkpoints = list([0, 1, 2, 30, 60])
  expect(left(checkpoints, 60)).toEqual(checkpoints)
})

test('then the newest of each ten minutes stays, and after a day the newest of each hour', () => {
  const checkpoints = list([0, 1, 11, 12, 13, 25, 59, 90, 1500])
  expect(ids(left(checkpoints, 120))).toEqual([1, 2, 5, 6, 7, 8, 9])
  expect(ids(left(checkpoints, 1500))).toEqual([1, 7, 8, 9])
})

test('the first, the newest and those with a name always stay', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 100_000 }), (checkpoints, at) => {
      const kept = left(checkpoints, at)
      expect(kept[0]).toBe(checkpoints[0])
      expect(kept.at(-1)).toBe(checkpoints.at(-1))
      for (const named of checkpoints.filter(({ name }) => name !== null)) expect(kept).toContain(named)
    }),
  )
})

test('thinning often keeps what thinning once would keep', () => {
  fc.assert(
    fc.property(history, fc.array(fc.integer({ min: 4000, max: 9000 }), { maxLength: 5 }), (all, times) => {
      const often = times.toSorted((a, b) => a - b).reduce(left, all)
      expect(ids(left(often, 9000))).toEqual(ids(left(all, 9000)))
    }),
  )
})

test('no moment is further from a kept one than its window', () => {
  fc.assert(
    fc.property(history, (checkpoints) => {
      const kept = left(checkpoints, 5000)
      for (const { created_at } of checkpoints) {
        const near = kept.some(
          (one) => Math.abs(Date.parse(one.created_at) - Date.parse(created_at)) < 60 * MINUTE,
        )
        expect(near).toBe(true)
      }
    }),
  )
})
