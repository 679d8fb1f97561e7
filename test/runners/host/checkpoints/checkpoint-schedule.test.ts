import { expect, test } from 'vitest'
import { checkpointSettings } from '../../../../src/core/model/checkpoint-settings.ts'
import {
  createSchedule,
  type Due,
  SETTLE_MS,
  TRUST,
} from '../../../../src/runners/host/checkpoints/checkpoint-schedule.ts'

const SECOND = 1000

/** A schedule on a clock of its own; what is due is done at once. */
function begin({ watched = true, on_turn = true } = {}) {
  const schedule = createSchedule({ ...checkpointSettings(undefined), on_turn }, 0)
  schedule.watched(watched, 0)
  const done: Array<{ at: number } & Due> = []
  /** Does everything that the schedule asks for, up to the millisecond `to`. */
  const run = (to: number): void => {
    for (let next = schedule.next(); next !== null && next <= to; next = schedule.next()) {
      const due = schedule.due(next)
      if (due === null) throw new Error(`it asked to be asked at ${next} for nothing`)
      schedule.began(due, next)
      done.push({ at: next, ...due })
    }
  }
  return { schedule, done, run }
}

test('one after three seconds of quiet, and none while nothing changes', () => {
  const { schedule, done, run } = begin()
  for (const at of [1000, 2000, 3500]) schedule.changed(at)
  run(60 * SECOND)
  expect(done).toEqual([{ at: 6500, reason: 'quiet', turn: null, whole: false }])
  expect(schedule.next()).toBeNull()
})

test('never two within ten seconds', () => {
  const { schedule, done, run } = begin()
  for (let at = 0; at < 60 * SECOND; at += 4 * SECOND) {
    run(at)
    schedule.changed(at)
  }
  run(80 * SECOND)
  const gaps = done.slice(1).map(({ at }, i) => at - (done[i]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10 * SECOND)
  expect(done.length).toBeGreaterThanOrEqual(5)
})

test('an agent that never rests has one every thirty seconds', () => {
  const { schedule, done, run } = begin()
  for (let at = 0; at <= 95 * SECOND; at += 500) {
    run(at)
    schedule.changed(at)
  }
  expect(done.map(({ at, reason }) => [at / SECOND, reason])).toEqual([
    [30, 'interval'],
    [60, 'interval'],
    [90, 'interval'],
  ])
})

test('a turn that ends has one soon, with its number, whenever the last one was', () => {
  const { schedule, done, run } = begin()
  schedule.changed(0)
  run(4 * SECOND)
  schedule.changed(4500)
  schedule.turnEnded(5 * SECOND)
  run(5 * SECOND + SETTLE_MS)
  schedule.turnEnded(9 * SECOND)
  run(20 * SECOND)
  expect(done.map(({ at, reason, turn }) => [at, reason, turn])).toEqual([
    [3000, 'quiet', null],
    [5 * SECOND + SETTLE_MS, 'turn', 1],
    [9 * SECOND + SETTLE_MS, 'turn', 2],
  ])
})

test('turns are counted and have none where the person does not want that', () => {
  const { schedule, done, run } = begin({ on_turn: false })
  schedule.turnEnded(SECOND)
  run(60 * SECOND)
  expect(done).toEqual([])
})

test('where files are not watched, the whole tree is looked at every thirty seconds', () => {
  const { done, run } = begin({ watched: false })
  run(95 * SECOND)
  expect(done.map(({ at, whole }) => [at / SECOND, whole])).toEqual([
    [30, true],
    [60, true],
    [90, true],
  ])
})

test('now and then the watcher is not trusted, but only where something changed', () => {
  const { schedule, done, run } = begin()
  run(3 * TRUST)
  expect(done).toEqual([])
  schedule.changed(3 * TRUST)
  run(3 * TRUST + 5 * SECOND)
  schedule.changed(3 * TRUST + 20 * SECOND)
  run(4 * TRUST)
  expect(done.map(({ whole }) => whole)).toEqual([true, false])
})

test('nothing but the end of a turn while somebody types, and at the latest after five seconds', () => {
  const { schedule, done, run } = begin()
  schedule.changed(0)
  for (let at = 2900; at < 3500; at += 200) schedule.typed(at)
  run(20 * SECOND)
  schedule.changed(21 * SECOND)
  for (let at = 23_900; at < 40 * SECOND; at += 100) {
    run(at)
    schedule.typed(at)
    if (at === 30 * SECOND) schedule.turnEnded(at)
  }
  expect(done.map(({ at, reason }) => [at, reason])).toEqual([
    [3600, 'quiet'],
    [28_900, 'quiet'],
    [30 * SECOND + SETTLE_MS, 'turn'],
  ])
})
