import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLateDrawing } from '../../../../src/runners/host/terminal/late-drawing.ts'

function open() {
  const drawn: string[] = []
  const late = createLateDrawing((bytes) => drawn.push(Buffer.from(bytes).toString()))
  return { late, drawn }
}

test('nothing is drawn before somebody looks, and then all of it at once', async () => {
  const { late, drawn } = open()
  const chunk = Buffer.from('ab')
  late.add(chunk)
  chunk.fill('x')
  late.add(Buffer.from('cd'))
  await turn()
  expect(drawn).toEqual([])
  late.catchUp()
  late.catchUp()
  expect(drawn).toEqual(['abcd'])
})

test('much of it is drawn without being asked, after what is under way', async () => {
  const { late, drawn } = open()
  late.add(Buffer.alloc(10_000, 'a'))
  late.add(Buffer.alloc(10_000, 'b'))
  expect(drawn).toEqual([])
  await turn()
  expect(drawn.map((text) => text.length)).toEqual([20_000])
})

test('more than can be kept is drawn in the order in which it came', () => {
  const { late, drawn } = open()
  for (const [size, letter] of [
    [60_000, 'a'],
    [60_000, 'b'],
    [100_000, 'c'],
    [10, 'd'],
  ] as const) {
    late.add(Buffer.alloc(size, letter))
  }
  late.catchUp()
  expect(drawn.map((text) => `${text.length}${text[0]}`)).toEqual(['60000a', '60000b', '100000c', '10d'])
})
