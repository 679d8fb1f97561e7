import { expect, test } from 'vitest'
import { holdAfterKey, NO_HOLD } from '../../../src/core/model/hold.ts'

const pace = { hold_ms: 300, longest_hold_ms: 1000 }
const type = (times: readonly number[]) =>
  times.reduce((hold, time) => holdAfterKey(hold, time, pace), NO_HOLD)

test('git waits for a moment without a key', () => {
  expect(type([5000]).until).toBe(5300)
  expect(type([5000, 5200]).until).toBe(5500)
})

test('who types on and on makes it wait for the longest time only, and then anew', () => {
  const held = type([5000, 5250, 5500, 5750, 5950])
  expect(held.until).toBe(6000)
  expect(holdAfterKey(held, 6010, pace)).toEqual({ since: 6010, until: 6310 })
})
