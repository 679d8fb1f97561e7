import { expect, test } from 'vitest'
import { createReadingPace } from '../../../src/runners/host/reading-pace.ts'

/** What the pace says of reads of `length` bytes at these milliseconds. */
function rests(length: number, times: readonly number[], key?: number): number[] {
  let now = 0
  const pace = createReadingPace(() => now)
  return times.map((time) => {
    if (key !== undefined && now <= key && key <= time) {
      now = key
      pace.typed()
    }
    now = time
    return pace.read(length)
  })
}

test('words that come at once are let gather', () => {
  expect(rests(6, [1000, 1001, 1006, 1011])).toEqual([0, 4, 4, 4])
})

test('what comes after a rest is read at once, and so is the frame of a program that draws thirty in a second', () => {
  expect(rests(343, [1000, 1033, 1066, 1099])).toEqual([0, 0, 0, 0])
})

test('nothing rests while much comes', () => {
  expect(rests(4095, [1000, 1001, 1002])).toEqual([0, 0, 0])
})

test('nothing rests soon after a key', () => {
  expect(rests(6, [1000, 1001, 1003, 1099, 1101, 1103], 1002)).toEqual([0, 4, 0, 0, 0, 4])
})
