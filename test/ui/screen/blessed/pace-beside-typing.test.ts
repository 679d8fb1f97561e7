import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FramePacer, paceFrames } from '../../../../src/ui/screen/blessed/frame-pacer.ts'

const FRAME = 17

let pacer: FramePacer
let drawn: string[]

beforeEach(() => {
  vi.useFakeTimers()
  drawn = []
  pacer = paceFrames({
    frame: () => {
      drawn.push('frame')
      return true
    },
    urgent: () => void drawn.push('echo'),
  })
  pacer.request()
  vi.advanceTimersByTime(FRAME)
  drawn = []
})

afterEach(() => {
  pacer.stop()
  vi.useRealTimers()
})

/** How many frames are drawn in `ms` milliseconds while others print all the time, and a key comes every `every` ms. */
function framesIn(ms: number, keys: { readonly every: number; readonly echo: boolean } | null): number {
  drawn = []
  for (let at = 0; at < ms; at++) {
    pacer.requestBeside()
    if (keys !== null && at % keys.every === 0) pacer.typed()
    if (keys?.echo && at % keys.every === 1) pacer.requestUrgent()
    vi.advanceTimersByTime(1)
  }
  return drawn.filter((what) => what === 'frame').length
}

test('an echo is drawn before a frame of what others print that was planned before the key', () => {
  pacer.requestBeside()
  pacer.typed()
  vi.advanceTimersByTime(2)
  pacer.requestUrgent()
  vi.advanceTimersByTime(FRAME)
  expect(drawn).toEqual(['echo', 'frame'])
})

test('what the person is shown of their own doing waits for no echo', () => {
  pacer.requestBeside()
  pacer.typed()
  pacer.request()
  vi.advanceTimersByTime(0)
  expect(drawn).toEqual(['frame'])
})

test('beside somebody who types there are half as many frames, and as many as ever afterwards', () => {
  expect(framesIn(1000, null)).toBeGreaterThan(55)
  const typing = framesIn(1000, { every: 100, echo: true })
  expect(typing).toBeGreaterThan(25)
  expect(typing).toBeLessThan(34)
  framesIn(300, null)
  expect(framesIn(1000, null)).toBeGreaterThan(55)
})

test('a single key makes them no fewer', () => {
  pacer.typed()
  expect(framesIn(1000, null)).toBeGreaterThan(55)
})

test('keys without an echo hold up nobody, however fast they come', () => {
  expect(framesIn(1000, { every: 2, echo: false })).toBeGreaterThan(20)
})

test('the last frame is drawn when the typing and the printing end together', () => {
  pacer.typed()
  pacer.typed()
  pacer.requestBeside()
  vi.advanceTimersByTime(3 * FRAME)
  expect(drawn).toEqual(['frame'])
})
