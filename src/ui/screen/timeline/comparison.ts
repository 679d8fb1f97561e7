// One checkpoint against another moment, shown by the diff view. The same key goes round: the one before, where the
// sandbox began, the sandbox now.

import type { CheckpointAgainst } from '../../../core/facade/agency.ts'
import type { Action } from '../bindings.ts'
import { type DiffState, openDiff } from '../diff/diff-state.ts'
import type { TimelineState } from './timeline-state.ts'

export interface Comparison {
  /** Number of the checkpoint. */
  readonly checkpoint: number
  readonly against: CheckpointAgainst
  readonly diff: DiffState
}

/** What is to be asked of the facade. */
export type ComparisonWant = Omit<Comparison, 'diff'>

/** What the checkpoint can be compared with, in the order of the key. The first one has none before it. */
export function comparable({ checkpoints, facts }: TimelineState, number: number): CheckpointAgainst[] {
  const first = checkpoints?.at(-1)?.id === number
  return [...(first ? [] : ['before' as const]), 'base', ...(facts.closed ? [] : ['now' as const])]
}

export function nextAgainst(state: TimelineState): CheckpointAgainst {
  const { comparison } = state
  if (comparison === null) return 'base'
  const all = comparable(state, comparison.checkpoint)
  return all[(all.indexOf(comparison.against) + 1) % all.length] ?? 'base'
}

/** It is about to be read. The part of the diff view that has the focus keeps it. */
export function compareWith(
  state: TimelineState,
  { checkpoint, against }: ComparisonWant,
  now: Date,
): TimelineState {
  const { id, name, chord } = state.facts
  const facts = { id, name, chord: withoutKeys(chord), empty: EMPTY[against] }
  const opened = openDiff(facts, now)
  const before = state.comparison?.diff
  const diff =
    before === undefined ? opened : { ...opened, focus: before.focus, highlighter: before.highlighter }
  return { ...state, comparison: { checkpoint, against, diff } }
}

const EMPTY: Readonly<Record<CheckpointAgainst, string>> = {
  before: 'Nothing differs from the one before.',
  base: 'Nothing differs from where the sandbox began.',
  now: 'Nothing has changed since.',
}

/** What only the diff of the whole work can do is not offered. */
export const WORK_ONLY: ReadonlySet<Action> = new Set<Action>([
  'invocation.diff',
  'diff.commits',
  'diff.whitespace',
])

const withoutKeys =
  (chord: TimelineState['facts']['chord']) =>
  (action: Action): string =>
    WORK_ONLY.has(action) ? '' : chord(action)
