import { describe, expect, test } from 'vitest'
import type { SurveyedInvocation } from '../../../../src/core/facade/watching.ts'
import { parseInvocationId, parseWorktreeId } from '../../../../src/core/model/ids.ts'
import { deriveCounters, orderOfNeed } from '../../../../src/ui/screen/observe/derive-counters.ts'
import { describeRedo, describeUndo } from '../../../../src/ui/screen/observe/derive-history.ts'
import {
  deriveSnapshot,
  type SnapshotFacts,
  unread,
} from '../../../../src/ui/screen/observe/derive-snapshot.ts'
import {
  type KnownRecords,
  learnAll,
  learnOperations,
  learnSome,
  learnWorktrees,
  NOTHING_KNOWN,
} from '../../../../src/ui/screen/observe/known-records.ts'
import { EMPTY_SNAPSHOT, type Snapshot } from '../../../../src/ui/screen/observe/snapshot.ts'
import { FINISHED, surveyedInvocation, worktreeRecord } from '../../../support/records/records.ts'
import { recordingAgency } from '../../../support/scene/recording-agency.ts'

const idOf = (n: number) => parseInvocationId(`20260128120000-${n.toString(16).padStart(4, '0')}`)
const ready = (n: number): SurveyedInvocation =>
  surveyedInvocation({ ...FINISHED, invocation_id: idOf(n) }, { display: 'ready' })
const landed = (n: number): SurveyedInvocation =>
  surveyedInvocation({ ...FINISHED, invocation_id: idOf(n), landing_status: 'landed' }, { display: 'landed' })
const survey = (...invocations: SurveyedInvocation[]) => ({ invocations, broken: [], closed: [] })

const facts = (known: KnownRecords, change: Partial<SnapshotFacts> = {}): SnapshotFacts => ({
  known,
  measured: new Map(),
  detail: null,
  archived_shown: false,
  taken_at: null,
  stale_since: null,
  trouble: null,
  watching: 'live',
  background: null,
  ...change,
})

const shownIds = ({ invocations }: Snapshot) => invocations.map(({ record }) => record.invocation_id)

describe('a snapshot', () => {
  const known = learnAll(learnWorktrees(NOTHING_KNOWN, [worktreeRecord()]), survey(ready(1), ready(2)))
  const first = deriveSnapshot(EMPTY_SNAPSHOT, facts(known))

  test('is the very same where nothing changed, though all was read again', () => {
    const again = learnAll(learnWorktrees(known, [worktreeRecord()]), survey(ready(1), ready(2)))
    expect(again).toBe(known)
    expect(deriveSnapshot(first, facts(again))).toBe(first)
  })

  test('keeps the objects of rows that did not change', () => {
    const failed = { ...ready(2), display: 'failed' } as const
    const second = deriveSnapshot(first, facts(learnSome(known, [idOf(2)], survey(failed))))
    expect(second.invocations[0]).toBe(first.invocations[0])
    expect(second.invocations[1]?.display).toBe('failed')
    expect(second.broken).toBe(first.broken)
    expect(second.history).toBe(first.history)
    expect(second.counters).toEqual({ working: 0, needs_you: 0, ready: 1, failed: 1 })
    expect(second.worktrees).toMatchObject([{ active: 0, ready: 1, needs_input: 0 }])
  })

  test('counts a silent agent as one that needs a person, of its worktree as of all', () => {
    const silent = surveyedInvocation({ invocation_id: idOf(3) }, { display: 'stalled' })
    const { counters, worktrees } = deriveSnapshot(first, facts(learnSome(known, [idOf(3)], survey(silent))))
    expect(counters).toEqual({ working: 0, needs_you: 1, ready: 2, failed: 0 })
    expect(worktrees).toMatchObject([{ active: 1, ready: 2, needs_input: 1 }])
  })

  test('has no row for one that is gone', () => {
    const second = deriveSnapshot(first, facts(learnSome(known, [idOf(2)], survey())))
    expect(shownIds(second)).toEqual([idOf(1)])
  })

  test('puts one that was opened again back to where it was', () => {
    const without = learnSome(known, [idOf(1)], survey(landed(1)))
    expect(shownIds(deriveSnapshot(first, facts(without)))).toEqual([idOf(2)])
    const back = learnSome(without, [idOf(1)], survey(ready(1)))
    expect(shownIds(deriveSnapshot(first, facts(back)))).toEqual([idOf(1), idOf(2)])
    expect(back.closed.size).toBe(0)
  })

  test('shows closed ones only where they are asked for, and says that they are still being read', () => {
    const more = learnAll(known, { ...survey(ready(1)), closed: [idOf(2), idOf(3)] })
    expect(unread(more)).toEqual([idOf(2), idOf(3)])
    const asked = deriveSnapshot(first, facts(more, { archived_shown: true }))
    expect([shownIds(asked), asked.archived_loading]).toEqual([[idOf(1)], true])
    const read = learnSome(more, [idOf(2), idOf(3)], survey(landed(2), landed(3)))
    const shown = deriveSnapshot(first, facts(read, { archived_shown: true }))
    expect([shownIds(shown), shown.archived_loading]).toEqual([[idOf(1), idOf(2), idOf(3)], false])
    expect(shown.counters.ready).toBe(1)
    const afterReadingAll = learnAll(read, survey(ready(1)))
    expect(afterReadingAll).toBe(read)
  })

  test('leaves out archived worktrees and what is in them', () => {
    const archived = worktreeRecord({ state: 'archived' })
    const present = worktreeRecord({ worktree_id: parseWorktreeId('20260128130000-b001'), name: 'other' })
    const put = learnWorktrees(known, [archived, present])
    const hidden = deriveSnapshot(first, facts(put))
    expect([shownIds(hidden), hidden.worktrees.map(({ record }) => record.name)]).toEqual([[], ['other']])
    expect(hidden.counters.ready).toBe(0)
    expect(deriveSnapshot(first, facts(put, { archived_shown: true })).worktrees).toHaveLength(2)
  })
})

describe('what undo would do', () => {
  test('is said in words, and follows the log', async () => {
    const page = await recordingAgency().operationsFrom(0)
    const done = learnOperations(NOTHING_KNOWN, page)
    const snapshot = deriveSnapshot(EMPTY_SNAPSHOT, facts(done))
    expect(describeUndo(snapshot.history)).toBe(
      'u would take back: landed b7c9 (claude) onto my-feature, 2 commits',
    )
    expect(describeRedo(snapshot.history)).toBeNull()
    const [land] = page.operations
    const undo = { ...land, operation_id: '20260128121100-0002', kind: 'undo', target: land?.operation_id }
    const undone = learnOperations(done, { operations: [undo as typeof land & object], begin: 1, end: 2 })
    const after = deriveSnapshot(snapshot, facts(undone))
    expect(describeUndo(after.history)).toBeNull()
    expect(describeRedo(after.history)).toContain('U would do again: landed b7c9')
  })
})

describe('what needs a person', () => {
  test('is counted, and ordered by urgency and then by how long it has waited', () => {
    const one = (n: number, display: SurveyedInvocation['display'], spoke: string): SurveyedInvocation =>
      surveyedInvocation({ invocation_id: idOf(n) }, { display, last_output_at: spoke })
    const views = [
      one(1, 'ready', '2026-01-28T10:00:00Z'),
      one(2, 'working', '2026-01-28T10:00:00Z'),
      one(3, 'stalled', '2026-01-28T10:00:00Z'),
      one(4, 'needs_input', '2026-01-28T11:00:00Z'),
      one(5, 'needs_input', '2026-01-28T10:00:00Z'),
      one(6, 'failed', '2026-01-28T09:00:00Z'),
    ]
    expect(deriveCounters(views)).toEqual({ working: 1, needs_you: 3, ready: 1, failed: 1 })
    expect(orderOfNeed(views).map(({ record }) => record.invocation_id)).toEqual([5, 4, 3, 6, 1].map(idOf))
  })
})
