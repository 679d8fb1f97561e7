import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeatUnheld } from '../../../../src/ui/screen/observe/repeat-unheld.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

/** Notes the times at which the work is done, in milliseconds. */
function begin(every: () => number = () => 100) {
  const done: number[] = []
  let until = 0
  const stop = repeatUnheld({
    every,
    heldFor: () => Math.max(0, until - Date.now()),
    work: () => void done.push(Date.now()),
  })
  const hold = (time: number): void => {
    until = time
  }
  return { done, hold, stop }
}

test('comes again and again, as often as it is told to', () => {
  let every = 100
  const { done } = begin(() => every)
  vi.advanceTimersByTime(250)
  every = 1000
  vi.advanceTimersByTime(2000)
  expect(done).toEqual([100, 200, 300, 1300])
})

test('waits for the end of a hold, and of one that was made longer meanwhile', () => {
  const { done, hold } = begin()
  hold(350)
  vi.advanceTimersByTime(340)
  hold(620)
  vi.advanceTimersByTime(400)
  expect(done).toEqual([620, 720])
})

test('ends where it is stopped, also by its own work', () => {
  const { done, stop } = begin()
  vi.advanceTimersByTime(100)
  stop()
  vi.advanceTimersByTime(1000)
  expect(done).toEqual([100])

  let times = 0
  const stopItself = repeatUnheld({
    every: () => 10,
    heldFor: () => 0,
    work: () => {
      times += 1
      stopItself()
    },
  })
  vi.advanceTimersByTime(1000)
  expect(times).toBe(1)
})
