import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SurveyedInvocation } from '../../../../src/core/facade/watching.ts'
import { candidatesFor, chooseWork, type Track } from '../../../../src/ui/screen/observe/due.ts'
import { USUAL_PACE } from '../../../../src/ui/screen/observe/pace.ts'
import { FINISHED, surveyedInvocation } from '../../../support/records/records.ts'

const NOON = Date.parse('2026-01-28T12:00:00.000Z')
const at = (seconds: number): number => NOON + seconds * 1000
const iso = (seconds: number): string => new Date(at(seconds)).toISOString()

const candidates = (view: SurveyedInvocation, tracks: { diff?: Track; forecast?: Track } = {}) =>
  candidatesFor({ view, tracks, head: 'abc', pace: USUAL_PACE })

const dueAt = (view: SurveyedInvocation, diff?: Track): number | undefined =>
  candidates(view, diff === undefined ? {} : { diff })[0]?.due_at

const working = (spoke: number): SurveyedInvocation => surveyedInvocation({}, { last_output_at: iso(spoke) })
const track = (change: Partial<Track> = {}): Track => ({
  stamp: iso(0),
  ended_at: at(0),
  took: 100,
  failed: false,
  ...change,
})

describe('a diffstat', () => {
  test('that was never worked out is due at once', () => {
    expect(dueAt(working(0))).toBe(0)
  })

  test('is not asked for again while the agent is silent', () => {
    expect(dueAt(working(0), track())).toBe(Number.POSITIVE_INFINITY)
  })

  test('is asked for again when a silent agent was seen to have changed something', () => {
    const checkpoints = { count: 1, last_at: iso(10), stamp: 'a' }
    expect(dueAt({ ...working(0), checkpoints }, track())).toBe(at(11.5))
    expect(dueAt({ ...working(0), checkpoints }, track({ stamp: iso(10) }))).toBe(Number.POSITIVE_INFINITY)
  })

  test('waits for a moment of silence after new output', () => {
    expect(dueAt(working(10), track())).toBe(at(11.5))
  })

  test('comes at most every five seconds', () => {
    expect(dueAt(working(1), track())).toBe(at(5))
  })

  test('does not wait for ever for an agent that is never silent', () => {
    expect(dueAt(working(25), track())).toBe(at(20))
  })

  test('that took two seconds is not worked out again for forty', () => {
    expect(dueAt(working(10), track({ took: 2_000 }))).toBe(at(40))
  })

  test('is due at once when the agent has ended', () => {
    expect(dueAt(surveyedInvocation(FINISHED, { display: 'ready' }), track())).toBe(0)
  })

  test('that failed is tried again later, although nothing changed', () => {
    expect(dueAt(working(0), track({ failed: true }))).toBe(at(30))
  })

  test('of a closed invocation, or of one that is being made, is never asked for', () => {
    expect(candidates(surveyedInvocation({ ...FINISHED, landing_status: 'landed' }))).toEqual([])
    expect(candidates(surveyedInvocation({ status: 'starting' }))).toEqual([])
  })

  test('never takes more than its share of the machine, however an agent behaves', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        (spoke, took) => {
          const due = dueAt(working(spoke / 1000), track({ took, stamp: 'before' })) ?? 0
          expect(due - at(0)).toBeGreaterThanOrEqual(took * USUAL_PACE.backoff)
        },
      ),
    )
  })
})

describe('a forecast', () => {
  const ended = surveyedInvocation(FINISHED, { display: 'ready' })
  const stamp = `ended ${FINISHED.finished_at}`

  test('comes after the diffstat of an invocation that has ended', () => {
    expect(candidates(ended).map(({ work }) => work)).toEqual(['diff'])
    const both = candidates(ended, { diff: track({ stamp }) })
    expect(both.map(({ work }) => work)).toEqual(['diff', 'forecast'])
    expect(chooseWork(both, NOON)).toMatchObject({ work: 'forecast' })
  })

  test('is worked out anew when the branch has moved', () => {
    const known = { diff: track({ stamp }), forecast: track({ stamp: `${stamp} onto abc` }) }
    expect(candidates(ended, known)[1]?.due_at).toBe(Number.POSITIVE_INFINITY)
    const moved = candidatesFor({ view: ended, tracks: known, head: 'def', pace: USUAL_PACE })
    expect(moved[1]?.due_at).toBe(0)
  })
})

describe('the choice of work', () => {
  test('takes diffstats before forecasts, and says when to look again where nothing is due', () => {
    const base = { id: surveyedInvocation().record.invocation_id, stamp: '' }
    const forecast = { ...base, work: 'forecast', due_at: 5 } as const
    const diff = { ...base, work: 'diff', due_at: 7 } as const
    expect(chooseWork([forecast, diff], 10)).toBe(diff)
    expect(chooseWork([forecast, diff], 6)).toBe(forecast)
    expect(chooseWork([forecast, diff], 1)).toBe(5)
    expect(chooseWork([], 1)).toBe(Number.POSITIVE_INFINITY)
  })
})
