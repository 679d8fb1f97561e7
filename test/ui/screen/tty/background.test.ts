import { expect, test } from 'vitest'
import { backgroundOf, guessBackground } from '../../../../src/ui/screen/tty/background.ts'

test.each([
  [[0, 0, 0], 'dark'],
  [[30, 30, 46], 'dark'],
  [[0, 43, 54], 'dark'],
  [[253, 246, 227], 'light'],
  [[255, 255, 255], 'light'],
  [[0, 0, 255], 'dark'],
] as const)('a background of %j is %s', ([red, green, blue], expected) => {
  expect(backgroundOf({ of: 'background', red, green, blue })).toBe(expected)
})

test.each([
  ['15;0', 'dark'],
  ['0;15', 'light'],
  ['0;default;15', 'light'],
  ['7;8', 'dark'],
  ['0;7', 'light'],
  ['15;default', 'dark'],
  ['', 'dark'],
  [undefined, 'dark'],
] as const)('COLORFGBG %j is %s', (COLORFGBG, expected) => {
  expect(guessBackground({ COLORFGBG })).toBe(expected)
})
