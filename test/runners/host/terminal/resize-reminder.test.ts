import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ResizeReminder, remindOfSize } from '../../../../src/runners/host/terminal/resize-reminder.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const FIRST = { columns: 80, rows: 24 }

const begin = (): { reminder: ResizeReminder; sizes: string[] } => {
  const sizes: string[] = []
  return { reminder: remindOfSize(FIRST, (columns, rows) => sizes.push(`${columns}x${rows}`)), sizes }
}

test('a program that draws nothing is told of its size once more, by way of another size', () => {
  const { reminder, sizes } = begin()
  reminder.resized({ columns: 101, rows: 31 })
  vi.advanceTimersByTime(499)
  expect(sizes).toEqual([])
  vi.advanceTimersByTime(1)
  expect(sizes).toEqual(['101x30', '101x31'])
  vi.advanceTimersByTime(60_000)
  expect(sizes).toHaveLength(2)
})

test('a terminal of one row gets two for a moment', () => {
  const { reminder, sizes } = begin()
  reminder.resized({ columns: 90, rows: 1 })
  vi.runAllTimers()
  expect(sizes).toEqual(['90x2', '90x1'])
})

test('of several changes it is told of the last', () => {
  const { reminder, sizes } = begin()
  reminder.resized({ columns: 90, rows: 30 })
  vi.advanceTimersByTime(400)
  reminder.resized({ columns: 91, rows: 31 })
  vi.runAllTimers()
  expect(sizes).toEqual(['91x30', '91x31'])
})

test('whoever has drawn or ended, or has that size already, is told nothing', () => {
  const { reminder, sizes } = begin()
  reminder.resized(FIRST)
  vi.runAllTimers()
  reminder.resized({ columns: 90, rows: 30 })
  reminder.drawn()
  vi.runAllTimers()
  reminder.resized({ columns: 91, rows: 30 })
  reminder.stop()
  vi.runAllTimers()
  expect(sizes).toEqual([])
})
