// Makes of what was read and worked out the snapshot that views are drawn from. Pure; what did not change is the object
// of the snapshot before.

import type { InvocationView, WorktreeView } from '../../../core/facade/agency.ts'
import type { SurveyedInvocation } from '../../../core/facade/watching.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import { type BrokenInvocation, isActive, isClosed } from '../../../core/model/invocation.ts'
import type { LandingForecast } from '../../../core/model/landing.ts'
import { deriveCounters, needsPerson } from './derive-counters.ts'
import { type KnownRecords, sameItems } from './known-records.ts'
import {
  type Diffstat,
  type Measured,
  type ObservedInvocation,
  type Snapshot,
  UNMEASURED,
} from './snapshot.ts'

export interface Measures {
  readonly diff: Measured<Diffstat>
  readonly forecast: Measured<LandingForecast>
}

export const NO_MEASURES: Measures = { diff: UNMEASURED, forecast: UNMEASURED }

type DerivedField = 'worktrees' | 'invocations' | 'broken' | 'counters' | 'history' | 'archived_loading'

/** What a snapshot is made of. */
export interface SnapshotFacts extends Omit<Snapshot, DerivedField> {
  readonly known: KnownRecords
  readonly measured: ReadonlyMap<InvocationId, Measures>
}

/** `before` itself where nothing differs. `made` is what that one was made of; null: unknown. */
export function deriveSnapshot(
  before: Snapshot,
  facts: SnapshotFacts,
  made: SnapshotFacts | null = null,
): Snapshot {
  const { known, measured, ...plain } = facts
  const same =
    made?.known === known && made.measured === measured && made.archived_shown === facts.archived_shown
  return keepFields(before, { ...before, ...plain, ...(same ? {} : deriveLists(before, facts)) })
}

function deriveLists(
  before: Snapshot,
  { known, measured, archived_shown }: SnapshotFacts,
): Pick<Snapshot, DerivedField> {
  const archived = archivedIds(known)
  const shown = sorted(known.invocations).filter((view) => archived_shown || isOpen(view, archived))
  const rows = shown.map((view) => observed(view, measured.get(idOf(view)) ?? NO_MEASURES))
  return {
    worktrees: keepList(before.worktrees, deriveWorktrees(before, known, archived_shown)),
    invocations: keepList(before.invocations, rows),
    broken: keepList(before.broken, sortedBroken(known.broken)),
    counters: keepFields(before.counters, deriveCounters(rows.filter((row) => isOpen(row, archived)))),
    history: keepFields(before.history, {
      undo: known.stacks.done.at(-1) ?? null,
      redo: known.stacks.undone.at(-1) ?? null,
    }),
    archived_loading: archived_shown && unread(known).length > 0,
  }
}

/** Closed ones of which no more than the id is known. */
export const unread = ({ closed, invocations, broken }: KnownRecords): InvocationId[] =>
  [...closed].filter((id) => !invocations.has(id) && !broken.has(id))

const archivedIds = ({ worktrees }: KnownRecords): ReadonlySet<string> =>
  new Set(worktrees.filter(({ state }) => state === 'archived').map((record) => record.worktree_id))

const isOpen = ({ record }: InvocationView, archived: ReadonlySet<string>): boolean =>
  !isClosed(record) && !archived.has(record.integration_worktree_id)

/** Nearly always in order already: ids begin with the time. */
function sorted(invocations: KnownRecords['invocations']): SurveyedInvocation[] {
  const views = [...invocations.values()]
  const inOrder = views.every((view, at) => at === 0 || idOf(views[at - 1] ?? view) <= idOf(view))
  return inOrder ? views : views.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

const idOf = ({ record }: InvocationView): InvocationId => record.invocation_id

const sortedBroken = (broken: KnownRecords['broken']): BrokenInvocation[] =>
  [...broken.values()].sort((a, b) => (a.invocation_id < b.invocation_id ? -1 : 1))

/** The row that was made of a view the last time: with ten thousand rows, to make each anew would be felt. */
const lastRows = new WeakMap<SurveyedInvocation, ObservedInvocation>()

function observed(view: SurveyedInvocation, { diff, forecast }: Measures): ObservedInvocation {
  const last = lastRows.get(view)
  if (last !== undefined && last.diff === diff && last.forecast === forecast) return last
  const row: ObservedInvocation = { ...view, diff, forecast }
  lastRows.set(view, row)
  return row
}

function deriveWorktrees(before: Snapshot, known: KnownRecords, archived_shown: boolean): WorktreeView[] {
  const counts = countByWorktree(known.invocations.values())
  const views = new Map(before.worktrees.map((view) => [view.record.worktree_id, view]))
  return known.worktrees
    .filter(({ state }) => archived_shown || state === 'present')
    .map((record) => {
      const now: WorktreeView = { record, ...(counts.get(record.worktree_id) ?? NO_COUNTS) }
      const view = views.get(record.worktree_id)
      return view === undefined ? now : keepFields(view, now)
    })
}

interface Counts {
  active: number
  ready: number
  needs_input: number
}

const NO_COUNTS: Readonly<Counts> = { active: 0, ready: 0, needs_input: 0 }

function countByWorktree(views: Iterable<InvocationView>): ReadonlyMap<string, Readonly<Counts>> {
  const counts = new Map<string, Counts>()
  for (const { record, display } of views) {
    const own = counts.get(record.integration_worktree_id) ?? { ...NO_COUNTS }
    counts.set(record.integration_worktree_id, own)
    if (isActive(record)) own.active += 1
    if (display === 'ready') own.ready += 1
    if (needsPerson(display)) own.needs_input += 1
  }
  return counts
}

const keepList = <T>(before: readonly T[], now: readonly T[]): readonly T[] =>
  sameItems(before, now) ? before : now

/** The object from before where each field is the very same. */
function keepFields<T extends object>(before: T, now: T): T {
  const same = (Object.keys(now) as (keyof T)[]).every((name) => Object.is(before[name], now[name]))
  return same ? before : now
}
