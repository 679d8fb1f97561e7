// What has been read of the records so far, and what a further reading adds to it. Pure. What was read again and is the
// same stays the same object.

import { isDeepStrictEqual } from 'node:util'
import type { Survey, SurveyedInvocation } from '../../../core/facade/watching.ts'
import type { InvocationId, WorktreeId } from '../../../core/model/ids.ts'
import { type BrokenInvocation, isClosed } from '../../../core/model/invocation.ts'
import type { OperationPage } from '../../../core/model/operation.ts'
import { deriveStacks, NO_OPERATIONS, type OperationStacks } from '../../../core/model/operation.ts'
import type { WorktreeRecord } from '../../../core/model/worktree.ts'

export interface KnownRecords {
  readonly worktrees: readonly WorktreeRecord[]
  /** Another stamp than before: somebody has moved the worktree's branch. Of those only onto which something may land. */
  readonly branches: ReadonlyMap<WorktreeId, string>
  readonly invocations: ReadonlyMap<InvocationId, SurveyedInvocation>
  readonly broken: ReadonlyMap<InvocationId, BrokenInvocation>
  /** Landed and discarded ones: most are known by their id alone. */
  readonly closed: ReadonlySet<InvocationId>
  readonly stacks: OperationStacks
  /** How much of the operation log was read. */
  readonly log_end: number
}

export const NOTHING_KNOWN: KnownRecords = {
  worktrees: [],
  branches: new Map(),
  invocations: new Map(),
  broken: new Map(),
  closed: new Set(),
  stacks: NO_OPERATIONS,
  log_end: 0,
}

export function learnWorktrees(known: KnownRecords, found: readonly WorktreeRecord[]): KnownRecords {
  const before = new Map(known.worktrees.map((record) => [record.worktree_id, record]))
  const worktrees = found.map((record) => keepSame(before.get(record.worktree_id), record))
  return sameItems(known.worktrees, worktrees) ? known : { ...known, worktrees }
}

export function learnBranches(known: KnownRecords, found: ReadonlyMap<WorktreeId, string>): KnownRecords {
  const branches = keepMap(known.branches, found)
  return branches === known.branches ? known : { ...known, branches }
}

export function learnOperations(known: KnownRecords, page: OperationPage): KnownRecords {
  if (page.operations.length === 0 && page.end === known.log_end) return known
  const before = page.begin === known.log_end ? known.stacks : NO_OPERATIONS
  return { ...known, stacks: deriveStacks(page.operations, before), log_end: page.end }
}

/** `survey` read all but those that were known to be closed. */
export function learnAll(known: KnownRecords, survey: Survey): KnownRecords {
  const closedBefore = [...known.invocations].filter(([id]) => known.closed.has(id))
  const closed = new Set([...known.closed, ...survey.closed])
  return settleRecords(known, { survey, invocations: new Map(closedBefore), broken: new Map(), closed })
}

/** `survey` read `ids` alone: one that it does not tell of is gone. */
export function learnSome(known: KnownRecords, ids: readonly InvocationId[], survey: Survey): KnownRecords {
  if (tellsNothing(known, ids, survey)) return known
  const invocations = new Map(known.invocations)
  const broken = new Map(known.broken)
  const closed = new Set(known.closed)
  for (const id of ids) {
    invocations.delete(id)
    broken.delete(id)
    closed.delete(id)
  }
  return settleRecords(known, { survey, invocations, broken, closed })
}

/** Nearly always, and found out without a look at the thousands that were not read. */
const tellsNothing = (known: KnownRecords, ids: readonly InvocationId[], survey: Survey): boolean =>
  ids.length === survey.invocations.length &&
  survey.invocations.every((view) =>
    isDeepStrictEqual(known.invocations.get(view.record.invocation_id), view),
  )

interface Learning {
  readonly survey: Survey
  readonly invocations: Map<InvocationId, SurveyedInvocation>
  readonly broken: Map<InvocationId, BrokenInvocation>
  readonly closed: Set<InvocationId>
}

function settleRecords(known: KnownRecords, { survey, invocations, broken, closed }: Learning): KnownRecords {
  for (const view of survey.invocations) {
    const id = view.record.invocation_id
    invocations.set(id, keepSame(known.invocations.get(id), view))
    if (isClosed(view.record)) closed.add(id)
  }
  for (const one of survey.broken)
    broken.set(one.invocation_id, keepSame(known.broken.get(one.invocation_id), one))
  const same = {
    invocations: keepMap(known.invocations, invocations),
    broken: keepMap(known.broken, broken),
    closed: isSubset(closed, known.closed) && closed.size === known.closed.size ? known.closed : closed,
  }
  const changed = Object.entries(same).some(([name, value]) => known[name as keyof typeof same] !== value)
  return changed ? { ...known, ...same } : known
}

const keepSame = <T>(before: T | undefined, now: T): T =>
  before !== undefined && isDeepStrictEqual(before, now) ? before : now

function keepMap<K, V>(before: ReadonlyMap<K, V>, now: ReadonlyMap<K, V>): ReadonlyMap<K, V> {
  if (before.size !== now.size) return now
  for (const [key, value] of now) if (before.get(key) !== value) return now
  return before
}

function isSubset<T>(set: ReadonlySet<T>, of: ReadonlySet<T>): boolean {
  for (const one of set) if (!of.has(one)) return false
  return true
}

export const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index])
