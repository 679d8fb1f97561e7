import { expect, test } from 'vitest'
import { createReadingPace } from '../../../../src/runners/host/terminal/reading-pace.ts'

/**
 * Milliseconds of rest that the pace wants after each read. `length`: bytes of each read. `times`: when they come.
 * `key`: when a key is typed.
 */
function rests(length: number | readonly number[], times: readonly number[], key?: number): number[] {
  let now = 0
  const pace = createReadingPace(() => now)
  return times.map((time, at) => {
    if (key !== undefined && now <= key && key <= time) {
      now = key
      pace.typed()
    }
    now = time
    return pace.read(typeof length === 'number' ? length : (length[at] ?? 0))
  })
}

test('what goes on coming in small pieces is let gather for longer and longer', () => {
  expect(rests(6, [1000, 1001, 1006, 1015, 1032, 1065, 1130])).toEqual([0, 4, 8, 16, 32, 64, 64])
})

test('what comes after a silence is read at once', () => {
  expect(rests(343, [1000, 1033, 1200, 1400, 1433])).toEqual([0, 4, 0, 0, 4])
})

test('nothing rests while much comes', () => {
  expect(rests(16_384, [1000, 1001, 1002])).toEqual([0, 0, 0])
})

test('a program that writes without a pause is not kept waiting where the kernel hands on little at a time', () => {
  expect(rests(7936, [1000, 1001, 1006, 1011, 1016])).toEqual([0, 4, 4, 4, 4])
  const lengths = [6, 6, 6, 6, 6, 6, 7936, 7936, 7936, 7936, 7936, 6]
  const times = [1000, 1001, 1006, 1015, 1032, 1065, 1130, 1163, 1180, 1189, 1194, 1199]
  expect(rests(lengths, times)).toEqual([0, 4, 8, 16, 32, 64, 32, 16, 8, 4, 4, 8])
})

test('the first reads after a key do not rest, and none for longer than a frame while somebody is at the keyboard', () => {
  const times = [1000, 1001, ...Array.from({ length: 8 }, (_, n) => 1003 + n), 1011, 1016, 1025, 1042, 1990]
  expect(rests(6, times, 1002)).toEqual([0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 16, 16, 0])
})

test('a key that nothing answers soon leaves the pace as it was', () => {
  expect(rests(6, [1000, 1001, 1006, 1120, 1125, 1134], 1007)).toEqual([0, 4, 8, 16, 16, 16])
})
