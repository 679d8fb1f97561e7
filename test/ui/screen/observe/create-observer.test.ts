import { describe, expect, test } from 'vitest'
import type { Agency } from '../../../../src/core/facade/agency.ts'
import type { SurveyedInvocation } from '../../../../src/core/facade/watching.ts'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { type InvocationId, parseInvocationId } from '../../../../src/core/model/ids.ts'
import { isClosed } from '../../../../src/core/model/invocation.ts'
import type { RecordListener } from '../../../../src/core/model/record-watch.ts'
import { idsOf, isTaken, observe, rowOf, STILL, until } from '../../../support/dashboard/observing.ts'
import { FINISHED, surveyedInvocation } from '../../../support/records/records.ts'
import { recordingAgency } from '../../../support/scene/recording-agency.ts'

const idOf = (n: number) => parseInvocationId(`20260128120000-${n.toString(16).padStart(4, '0')}`)

/** A facade whose records a test changes, and whose watcher speaks when told to. */
function standIn(answers: Partial<Agency> = {}) {
  const views = new Map<InvocationId, SurveyedInvocation>()
  let listener: RecordListener | null = null
  const agency = recordingAgency({
    surveyInvocations: async ({ only, open_only, skip } = {}) => {
      const chosen = [...views].filter(([id]) => skip?.has(id) !== true && (only?.includes(id) ?? true))
      const closed = chosen
        .filter(([, view]) => open_only === true && isClosed(view.record))
        .map(([id]) => id)
      const invocations = chosen.filter(([id]) => !closed.includes(id)).map(([, view]) => view)
      return { invocations, broken: [], closed }
    },
    watchRecords: async (heard) => {
      listener = heard
      return { follow: () => {}, close: async () => {} }
    },
    ...answers,
  })
  const put = (n: number, display: SurveyedInvocation['display'] = 'ready'): void => {
    const state = display === 'working' ? {} : FINISHED
    views.set(idOf(n), surveyedInvocation({ ...state, invocation_id: idOf(n) }, { display }))
  }
  return { agency, put, listener: (): RecordListener => listener ?? expect.fail('nobody listens') }
}

const calls = ({ agency }: ReturnType<typeof standIn>, verb: string) =>
  agency.calls.filter((call) => call.verb === verb)

const changed = (...invocations: InvocationId[]) => ({
  everything: false,
  worktrees: [],
  operations: false,
  invocations,
})

describe('an observer', () => {
  test('turns five thousand changes into a few readings and a few snapshots', async () => {
    const desk = standIn()
    for (let n = 0; n < 5_000; n++) desk.put(n, 'working')
    const observer = observe(desk.agency)
    await until(observer, isTaken)
    let told = 0
    observer.onChange(() => {
      told += 1
    })
    const before = calls(desk, 'surveyInvocations').length
    for (let n = 0; n < 5_000; n++) {
      desk.put(n, 'failed')
      desk.listener().changed(changed(idOf(n)))
    }
    await until(observer, ({ counters }) => counters.failed === 5_000)
    expect(told).toBeLessThan(20)
    expect(calls(desk, 'surveyInvocations').length - before).toBeLessThan(20)
  })

  test('reads one record where one changed', async () => {
    const desk = standIn()
    for (const n of [1, 2, 3]) desk.put(n)
    const observer = observe(desk.agency)
    await until(observer, isTaken)
    desk.put(2, 'failed')
    desk.listener().changed(changed(idOf(2)))
    await until(observer, ({ counters }) => counters.failed === 1)
    expect(calls(desk, 'surveyInvocations').at(-1)?.args).toEqual([{ only: [idOf(2)] }])
  })

  test('does not look at what runs while somebody types, and does so afterwards', async () => {
    const desk = standIn()
    desk.put(1, 'working')
    const held = { hold_ms: 60_000, longest_hold_ms: 60_000 }
    const typing = observe(desk.agency, { pace: { ...STILL, ...held, active_ms: 5 } })
    typing.hold()
    expect(typing.heldFor()).toBeGreaterThan(0)
    await until(typing, isTaken)
    const before = calls(desk, 'surveyInvocations').length
    const beside = standIn()
    beside.put(1, 'working')
    observe(beside.agency, { pace: { ...STILL, active_ms: 5 } })
    await expect.poll(() => calls(beside, 'surveyInvocations').length).toBeGreaterThan(10)
    expect(calls(desk, 'surveyInvocations')).toHaveLength(before)

    const paused = observe(desk.agency, { pace: { ...STILL, active_ms: 5, hold_ms: 20 } })
    paused.hold()
    await until(paused, isTaken)
    const read = calls(desk, 'surveyInvocations').length
    await expect.poll(() => calls(desk, 'surveyInvocations').length).toBeGreaterThan(read)
  })

  test('says since when it cannot read and why, keeps what it knew, and recovers', async () => {
    let broken = false
    const worktrees = recordingAgency().surveyWorktrees
    const desk = standIn({
      surveyWorktrees: async () => {
        if (broken) throw new AgencyError('E_RECORD_UNREADABLE', 'the disk is gone')
        return worktrees()
      },
    })
    desk.put(1)
    const observer = observe(desk.agency, { pace: { ...STILL, patience_ms: 20 } })
    const good = await until(observer, isTaken)
    broken = true
    observer.refresh()
    const stale = await until(observer, ({ trouble }) => trouble !== null)
    expect(stale.trouble?.message).toBe('the disk is gone')
    expect(stale.stale_since).toEqual(good.taken_at)
    expect(idsOf(stale)).toEqual([idOf(1)])
    broken = false
    await until(observer, ({ trouble, stale_since }) => trouble === null && stale_since === null)
  })

  test('says that what it shows is old while a reading hangs', async () => {
    let release = (): void => {}
    const hang = new Promise<void>((resolve) => {
      release = resolve
    })
    const worktrees = recordingAgency().surveyWorktrees
    let readings = 0
    const desk = standIn({
      surveyWorktrees: async () => {
        readings += 1
        if (readings === 2) await hang
        return worktrees()
      },
    })
    const observer = observe(desk.agency, { pace: { ...STILL, patience_ms: 10 } })
    await until(observer, isTaken)
    observer.refresh()
    const stale = await until(observer, ({ stale_since }) => stale_since !== null)
    expect(stale.trouble).toBeNull()
    release()
    await until(observer, ({ stale_since }) => stale_since === null)
  })

  test('says that changes are polled where they cannot be watched', async () => {
    const desk = standIn()
    const observer = observe(desk.agency)
    await until(observer, isTaken)
    desk.listener().slowed(new Error('no watches'))
    await until(observer, ({ watching }) => watching === 'polling')
    const blind = standIn({ watchRecords: () => Promise.reject(new Error('no watches')) })
    await until(observe(blind.agency), (now) => now.watching === 'polling' && isTaken(now))
  })

  test('asks git for one thing at a time, the selected row first', async () => {
    let running = 0
    let most = 0
    const asked: string[] = []
    const plain = recordingAgency()
    const desk = standIn({
      diffInvocation: async (id) => {
        asked.push(id)
        running += 1
        most = Math.max(most, running)
        const diff = await plain.diffInvocation(id)
        running -= 1
        return diff
      },
    })
    for (const n of [1, 2, 3]) desk.put(n)
    const observer = observe(desk.agency)
    await until(observer, isTaken)
    observer.select(idOf(3))
    observer.setVisible([idOf(1), idOf(2), idOf(3)])
    const done = await until(observer, ({ invocations }) =>
      invocations.every(({ forecast }) => forecast.at !== null),
    )
    expect([asked[0], most]).toEqual([idOf(3), 1])
    expect(asked).toHaveLength(3)
    expect(done.invocations[0]?.forecast.value?.kind).toBe('clean')
  })

  test('keeps the last diffstat beside the failure of the next one', async () => {
    let fails = false
    const plain = recordingAgency()
    const desk = standIn({
      diffInvocation: async (id) => {
        if (fails) throw new AgencyError('E_GIT_FAILED', 'git is tired')
        return plain.diffInvocation(id)
      },
    })
    desk.put(1)
    const observer = observe(desk.agency)
    await until(observer, isTaken)
    observer.setVisible([idOf(1)])
    const good = await until(observer, (now) => rowOf(now, idOf(1))?.diff.at !== null)
    fails = true
    observer.refresh(idOf(1))
    const failed = await until(observer, (now) => rowOf(now, idOf(1))?.diff.failed !== null)
    const before = rowOf(good, idOf(1))?.diff
    expect(rowOf(failed, idOf(1))?.diff).toMatchObject({ value: before?.value, at: before?.at })
  })

  test('asks git for nothing while nothing is visible, and does nothing once it is closed', async () => {
    const desk = standIn()
    desk.put(1)
    const observer = observe(desk.agency)
    await until(observer, isTaken)
    observer.setVisible([])
    observer.select(idOf(1))
    await until(observer, ({ detail }) => detail !== null)
    expect(calls(desk, 'diffInvocation')).toEqual([])
    await observer.close()
    const before = desk.agency.calls.length
    observer.refresh()
    observer.setVisible([idOf(1)])
    desk.listener().changed(changed(idOf(1)))
    expect(desk.agency.calls.length).toBe(before)
  })
})
