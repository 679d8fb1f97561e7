// The time of day goes back or forth beside file times, which follow it. Only the time of day is imagined here.

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notedMoment, setBackSince } from '../../../../src/core/doors/system/clock-steps.ts'
import { withLock } from '../../../../src/core/doors/system/lock.ts'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const HOUR = 3_600_000
const processes = systemProcesses()

/** Does `work` while the time of day is off by so much. */
function whileOff<T>(milliseconds: number, work: () => T): T {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  onTestFinished(() => void vi.useRealTimers())
  try {
    return work()
  } finally {
    vi.useRealTimers()
  }
}

test.each([
  ['an hour', HOUR],
  ['a second', 1000],
  ['years', 20_000 * HOUR],
])(
  'a file that was written after the clock was set back by %s keeps its tree from being deleted',
  async (_, by) => {
    const dir = makeScratch()
    writeFiles(dir, { 'tree/old': 'kept by git\n' })
    const wholeAt = whileOff(by, notedMoment)
    writeFileSync(join(dir, 'tree/late'), 'in no commit\n')
    processes.deleteLater(join(dir, 'tree'), wholeAt)
    await waitUntil(() => !existsSync(join(dir, 'tree')))
    expect(readdirSync(join(dir, 'tree.kept')).sort()).toEqual(['late', 'old'])
  },
)

test('a moment that another process has noted counts as set back as long as it lies in the future', async () => {
  const dir = makeScratch()
  writeFiles(dir, { 'tree/late': 'in no commit\n' })
  processes.deleteLater(join(dir, 'tree'), Date.now() + HOUR)
  await waitUntil(() => !existsSync(join(dir, 'tree')))
  expect(readdirSync(dir)).toEqual(['tree.kept'])
})

test('a clock that goes on, or was set forward, sets nothing back', () => {
  expect(setBackSince(notedMoment())).toBeLessThan(50)
  expect(setBackSince(whileOff(-HOUR, notedMoment))).toBe(0)
})

test.each([
  ['backwards', -HOUR],
  ['forwards', HOUR],
])('a takeover that a kill has left is taken over however far the clock was set %s', async (_, by) => {
  const path = join(makeScratch(), '.lock')
  const dead = { pid: process.pid, start_time: 'of another', token: 'dead' }
  writeFileSync(path, JSON.stringify(dead))
  writeFileSync(`${path}.takeover-dead`, '')
  let waited = 0
  const clock = {
    ...systemClock,
    now: () => new Date(Date.now() + by),
    elapsed: () => waited,
    sleep: async () => {
      waited += 500
    },
  }
  expect(await whileOff(by, () => withLock(path, { processes, clock }, async () => 'in'))).toBe('in')
  expect(waited).toBeLessThan(10_000)
})
