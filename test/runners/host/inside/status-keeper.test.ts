import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepStatus, type StatusKeeper } from '../../../../src/runners/host/inside/status-keeper.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const keep = (reports: boolean): { keeper: StatusKeeper; written: unknown[] } => {
  const written: unknown[] = []
  const write = async (status: unknown): Promise<void> => void written.push(status)
  return { keeper: keepStatus({ write, reports }), written }
}

test('what is said is written once, until something else is said', async () => {
  const { keeper, written } = keep(true)
  for (const status of ['working', 'working', 'ready_for_review', null] as const) {
    keeper.reported(status)
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(written).toEqual(['working', 'ready_for_review', null])
})

test('of a flood of reports the last is written, whatever became of those before', async () => {
  const writes: (() => void)[] = []
  const written: unknown[] = []
  const keeper = keepStatus({
    reports: true,
    write: (status) => {
      written.push(status)
      return new Promise((_, reject) => writes.push(() => reject(new Error('the disk is full'))))
    },
  })
  for (const status of ['working', 'idle', 'blocked', 'needs_input'] as const) keeper.reported(status)
  writes[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(written).toEqual(['working', 'needs_input'])
})

test('a runner that reports waits for a person where it drew something, and then neither draws nor speaks', async () => {
  const { keeper, written } = keep(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual([])
  for (let at = 0; at < 5; at += 1) {
    keeper.drew()
    await vi.advanceTimersByTimeAsync(1500)
  }
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(written).toEqual(['needs_input'])
  keeper.drew()
  await vi.advanceTimersByTimeAsync(0)
  expect(written).toEqual(['needs_input', null])
  keeper.reported('working')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual(['needs_input', null, 'working'])
})

test('after it took back what it said, its silence counts again', async () => {
  const { keeper, written } = keep(true)
  keeper.reported('needs_input')
  keeper.reported(null)
  keeper.drew()
  await vi.advanceTimersByTimeAsync(2500)
  expect(written.at(-1)).toBe('needs_input')
})

test('the silence of a program that never reports means nothing', async () => {
  const { keeper, written } = keep(false)
  keeper.drew()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual([])
})
